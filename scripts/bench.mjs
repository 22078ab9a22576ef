// `npm run bench`: measures speed and size of the package against their targets, on the oldest and the newest supported Node.
// `npm run bench -- size` (or another name in bench/parts.mjs) runs one part; `-- growth gemini` runs a part for one source dialect.
// `npm run bench -- profile bytes agent` shows where the time for one payload is spent.
// `npm run bench -- docs` runs all parts and writes docs/performance.md; `-- page` updates only the sections that were measured here.
// `--thorough` runs more rounds, which takes much longer.

import { nodes } from "../bench/nodes.mjs";
import { keep, kept } from "../bench/page/kept.mjs";
import { updatePage, writePage } from "../bench/page/write.mjs";
import { onPage, parts } from "../bench/parts.mjs";
import { summary, textOf } from "../bench/tables.mjs";
import { build } from "./build/all.mjs";
import { CommandFailed, main } from "./lib/run.mjs";

await main(async () => {
  const given = process.argv.slice(2);
  const thorough = given.includes("--thorough");
  const [name, ...chosen] = given.filter((argument) => !argument.startsWith("--"));
  const known = ["docs", "page", ...Object.keys(parts)];
  if (name !== undefined && !known.includes(name)) {
    throw new CommandFailed(`nothing to measure is called ${name}; there are: ${known.join(", ")}`);
  }
  if (name !== "page") {
    const isAll = name === undefined || name === "docs";
    await measureParts(isAll ? onPage : [name], { thorough, chosen });
    console.log(summary());
  }
  const sections = onPage.flatMap(kept);
  if (name === "docs") console.log(`wrote ${writePage(sections, await nodes())}`);
  if (name === "page") console.log(`wrote ${updatePage(sections)}`);
});

async function measureParts(names, { thorough, chosen }) {
  await build();
  const setting = {
    nodes: await nodes(),
    toolwire: await import("../pkg/dist/index.js"),
    rounds: thorough ? 5 : 2,
    fewRounds: thorough ? 3 : 1,
    thorough,
    chosen,
  };
  for (const name of names) {
    const start = performance.now();
    const sections = await parts[name](setting);
    for (const { title, tables } of sections) console.log(`# ${title}\n\n${tables.map(textOf).join("\n\n")}\n`);
    console.error(`· ${name}: ${((performance.now() - start) / 1000).toFixed(0)} s`);
    if (chosen.length === 0) keep(name, sections);
  }
}
