// The programs of the pages of pairs compile, and print what the pages state.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { site } from "../../scripts/site/build.mjs";
import { pairs } from "../../scripts/site/pairs.mjs";
import { fencedBlocks } from "../package/support/snippets/blocks.mjs";
import { makeProject } from "../package/support/snippets/programs.mjs";

const programs = pairs().map(({ name }) => {
  const [first, printed, stream] = fencedBlocks(readFileSync(join(site, `${name}.md`), "utf8"));
  return { name, printed: printed.code, blocks: [first, stream].map((block) => ({ ...block, file: `${name}.md` })) };
});
const project = makeProject(
  "pairs",
  programs.flatMap(({ blocks }) => blocks),
);

before(() => project.compile("typescript"));

test("there is a page for every pair", () => assert.ok(programs.length >= 30));

for (const { name, printed, blocks } of programs) {
  test(name, async () => {
    assert.equal(await project.run(blocks[0]), printed);
    await project.run(blocks[1]);
  });
}
