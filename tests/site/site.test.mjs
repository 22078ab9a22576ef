// The built site: every link leads somewhere, nothing is loaded from other hosts, and what people look for is found.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { errorCodes, warningCodes } from "../../scripts/codes/lists.mjs";
import { site } from "../../scripts/site/build.mjs";
import { contents } from "../../scripts/site/contents.mjs";
import { fileAt, htmlPages, linksIn, openSearch } from "./support.mjs";

const pages = htmlPages();

/** `play` and `api` are built by other commands, and have tests of their own. */
const isOwn = ({ path }) => !/^\/(?:play|api)\//.test(path);

test("every page of the contents is there, and in llms.txt", () => {
  const listed = contents().flatMap(({ pages }) => pages);
  assert.ok(listed.length > 40);
  const llms = readFileSync(join(site, "llms.txt"), "utf8");
  const full = readFileSync(join(site, "llms-full.txt"), "utf8");
  for (const { address, title, text } of listed) {
    assert.ok(pages.has(address), address);
    assert.ok(title !== "", address);
    assert.ok(llms.includes(`- [${title}](`), address);
    const [, file] = llms.match(new RegExp(`\\((${address.replace(/\/$/, "/index")}\\.md)\\)`)) ?? [];
    assert.equal(readFileSync(join(site, file), "utf8").length > 0, text.length > 0, address);
  }
  assert.ok(full.length > 100_000 && full.includes("# Streams"));
});

test("no link is dead: pages, headings, and files of the repository", () => {
  const dead = [];
  let count = 0;
  for (const [address, html] of pages) {
    for (const link of linksIn(html, address).filter((one) => !one.isExternal && isOwn(one))) {
      count++;
      const file = fileAt(link.path);
      const isThere = file && (link.anchor === "" || hasAnchor(readFileSync(file, "utf8"), link.anchor));
      if (!isThere) dead.push(`${address}: ${link.value}`);
    }
  }
  assert.ok(count > 3000, `${count} links`);
  assert.deepEqual([...new Set(dead)], []);
});

const hasAnchor = (html, anchor) => html.includes(`id="${decodeURIComponent(anchor)}"`);

test("links lead to examples and to tests", () => {
  const all = [...pages].flatMap(([address, html]) => linksIn(html, address));
  for (const folder of ["/files/examples/", "/files/tests/"])
    assert.ok(
      all.some(({ path }) => path.startsWith(folder)),
      folder,
    );
});

test("nothing but links to read leads to other hosts", () => {
  const external = [...pages].flatMap(([address, html]) => linksIn(html, address).filter((link) => link.isExternal));
  assert.ok(external.length > 20);
  assert.deepEqual(
    external.filter(({ tag }) => tag !== "a").map(({ value }) => value),
    [],
  );
});

test("every code of a warning or an error has an anchor", () => {
  const html = pages.get("/codes");
  const codes = [...warningCodes(), ...errorCodes()].map(({ code }) => code);
  assert.ok(codes.length > 50);
  assert.deepEqual(
    codes.filter((code) => !hasAnchor(html, code)),
    [],
  );
});

/** What people type, and the words of a page that responds to it. */
const terms = {
  "Claude Code": /claude code/i,
  Codex: /codex/i,
  OpenRouter: /openrouter/i,
  DeepSeek: /deepseek/i,
  Groq: /groq/i,
  Azure: /azure/i,
  "prompt caching": /prompt cach/i,
  image: /image/i,
  num_ctx: /num_ctx/i,
  useChat: /useChat/,
  "SDK exceptions": /exception/i,
  "a provider's own fields": /own fields/i,
};

for (const [term, words] of Object.entries(terms)) {
  test(`search: ${term}`, async () => {
    const search = await openSearch();
    const [first] = search(term);
    assert.ok(first, "nothing was found");
    const [address, anchor] = first.address.split("#");
    const html = readFileSync(fileAt(address), "utf8");
    assert.ok(!anchor || hasAnchor(html, anchor), first.address);
    assert.match(section(html, anchor), words, first.address);
    assert.doesNotMatch(
      first.address,
      /^\/(?:vectors|quirks|changelog|performance)/,
      "a list, not a page that explains",
    );
  });
}

/** The text of a page from an anchor to the next heading. */
function section(html, anchor) {
  const start = anchor ? html.indexOf(`id="${decodeURIComponent(anchor)}"`) : 0;
  return html
    .slice(start)
    .replaceAll(/<[^>]*>/g, " ")
    .slice(0, 20_000);
}
