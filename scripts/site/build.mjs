// Builds build/site/ from the Markdown of the repository, the playground and the built package.

import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { site as playground } from "../build/playground.mjs";
import { codesPage } from "../codes/codes-page.mjs";
import { errorCodes, warningCodes } from "../codes/lists.mjs";
import { root, run } from "../lib/run.mjs";
import { whenChanged } from "../lib/stamps.mjs";
import { contents, pageOf } from "./contents.mjs";
import { linked } from "./links.mjs";
import { llmsTexts } from "./llms.mjs";
import { readFacts } from "./pair-findings.mjs";
import { pairPages } from "./pairs.mjs";
import { write, writeSources } from "./sources.mjs";

const tool = join(root, "tools/site");
const source = join(root, "build/site-source");
export const site = join(root, "build/site");

async function setUpTool() {
  await whenChanged({
    name: "VitePress",
    inputs: ["tools/site/package.json", "tools/site/package-lock.json"],
    outputs: ["tools/site/node_modules"],
    stamp: "tools/site/node_modules/.toolwire-stamp",
    build: () => run("npm", ["ci", "--no-audit", "--no-fund"], { cwd: tool, output: 2 }),
  });
}

/** `base` is the path that the site is served under. `reference` is a folder with the API reference, which is copied to `api`. */
export async function buildSite({ base = "/", reference } = {}) {
  await setUpTool();
  const toolwire = await import(pathToFileURL(join(root, "pkg/dist/node.js")).href);
  const home = pageOf("README.md");
  const facts = readFacts();
  const groups = [...withVectors(contents(), facts), { title: "Pairs", pages: await pairPages(toolwire, facts) }];
  writePages(home, groups, base, reference !== undefined);
  await buildPages();
  for (const name of ["play", "api"]) rmSync(join(site, name), { recursive: true, force: true });
  for (const [name, text] of Object.entries(llmsTexts({ home, groups }))) write(join(site, name), text);
  if (existsSync(join(root, playground))) cpSync(join(root, playground), join(site, "play"), { recursive: true });
  if (reference) cpSync(reference, join(site, "api"), { recursive: true });
}

async function buildPages() {
  const written = readdirSync(source).filter((name) => name !== "node_modules");
  await whenChanged({
    name: "pages of the site",
    inputs: [
      ...written.map((name) => `build/site-source/${name}`),
      "scripts/site",
      "tools/site/.vitepress",
      "tools/site/package-lock.json",
    ],
    outputs: ["build/site"],
    build: () => {
      rmSync(site, { recursive: true, force: true });
      const vitepress = join(tool, "node_modules/vitepress/bin/vitepress.js");
      run(process.execPath, [vitepress, "build", tool], { cwd: tool, output: 2 });
    },
  });
}

/** The contents, where each code links to vectors. */
function withVectors(groups, { files }) {
  const cases = files.flatMap(({ name, cases }) => cases.map((one) => ({ ...one, file: name })));
  const text = codesPage({ errors: errorCodes(), warnings: warningCodes(), cases });
  const shown = (page) => {
    if (page.file === "docs/codes.md") return { ...page, text };
    // the page of quirks lists thousands of names, which the linked files contain
    if (page.file === "docs/quirks.md")
      return { ...page, text: page.text.replaceAll(/^( +- \[[^\]]*\]\([^)]*\)):.*$/gm, "$1") };
    return page;
  };
  return groups.map(({ title, pages }) => ({ title, pages: pages.map(shown) }));
}

/** Writes the Markdown for VitePress. */
function writePages(home, groups, base, hasReference) {
  rmSync(source, { recursive: true, force: true });
  const pages = [home, ...groups.flatMap(({ pages }) => pages)];
  const addresses = new Map(pages.map(({ file, address }) => [file, address]));
  // links between generated pages and to them are relative to docs/
  const used = new Set();
  for (const page of pages) {
    const text = linked(page.text, page.file, { addresses, used, base });
    const head = { title: page.title, description: page.description, search: page.search ?? true };
    const lines = Object.entries(head).map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`);
    write(join(source, fileOf(page.address)), `---\n${lines.join("")}---\n\n${text}`);
  }
  writeSources(used, { source, base });
  mkdirSync(join(source, "public"), { recursive: true });
  cpSync(join(root, "www/public/icon.svg"), join(source, "public/icon.svg"));
  // the pages import Vue
  symlinkSync(join(tool, "node_modules"), join(source, "node_modules"));
  writeFileSync(join(source, "site.json"), JSON.stringify({ base, ...navigation(groups, base, hasReference) }));
}

const fileOf = (address) => (address.endsWith("/") ? `${address}index.md` : `${address}.md`);

function navigation(groups, base, hasReference) {
  const lists = groups.map(({ title, pages }) => ({
    text: title,
    items: pages.map(({ title, address }) => ({ text: title, link: address })),
  }));
  const listOf = (title) => lists.find(({ text }) => text === title);
  const apart = ["Wire formats", "Pairs", "The project"].map(listOf);
  const further = { text: "More", items: apart.map(({ text, items }) => ({ text, link: items[0].link })) };
  const main = [...lists.filter((list) => !apart.includes(list)), further];
  const own = apart.flatMap((list) => list.items.map(({ link }) => [link, [list, ...main]]));
  const sidebar = { ...Object.fromEntries(own), "/": main };
  const outside = (text, path) => ({ text, link: `${base}${path}`, target: "_self" });
  const nav = [
    { text: "Guides", link: groups[0].pages[0].address },
    { text: "Reference", link: "/format" },
    { text: "Pairs", link: "/openai-to-anthropic" },
    ...(hasReference ? [outside("API", "api/index.html")] : []),
    outside("Playground", "play/index.html"),
  ];
  return { nav, sidebar };
}
