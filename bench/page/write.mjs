// docs/performance.md and its plots, out of what was measured.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { root } from "../../scripts/lib/run.mjs";
import { markdownOf } from "../tables.mjs";

const page = "docs/performance.md";
const pictures = "performance";

/** Writes the whole page. */
export function writePage(sections, nodes) {
  rmSync(join(root, "docs", pictures), { recursive: true, force: true });
  return write([head(nodes), ...sections.map(sectionText)], sections);
}

/** Replaces these sections of the page, or adds them at its end. The others stay as they are. */
export function updatePage(sections) {
  const texts = readFileSync(join(root, page), "utf8")
    .trimEnd()
    .split(/\n\n(?=## )/);
  for (const section of sections) {
    const place = texts.findIndex((text) => text.startsWith(`## ${section.title}\n`));
    texts.splice(place < 0 ? texts.length : place, place < 0 ? 0 : 1, sectionText(section));
  }
  return write(texts, sections);
}

function write(texts, sections) {
  const folder = join(root, "docs", pictures);
  mkdirSync(folder, { recursive: true });
  for (const { file, svg } of sections.flatMap(({ plots }) => plots)) writeFileSync(join(folder, file), svg);
  writeFileSync(join(root, page), `${texts.join("\n\n")}\n`);
  return page;
}

function head(nodes) {
  const processors = cpus();
  const versions = nodes.map(({ version }) => version).join(" and ");
  return `# Performance

\`npm run bench -- docs\` writes this page from measurements.

- Node ${versions}; processor: ${processors[0].model.trim()}, ${processors.length} cores.
- Every figure comes from a process of its own, with the sides in turn, after a warm-up: the median of many samples, in the better of the
  rounds. Times are this machine's; ratios are our time ÷ the other's: below 1 we are faster.
- *By hand* is JavaScript that does the same work, written to be fast (\`bench/baseline\`, \`bench/streams/by-hand.mjs\`): it makes and orders
  what we do, reports the same losses, and validates nothing else. Its output is the same as ours, which is checked before anything is timed.
- Targets are the project's own.`;
}

function sectionText({ title, text, tables, plots }) {
  const images = plots.map(({ file, alt }) => `![${alt}](${pictures}/${file})`);
  const paragraphs = text.length > 0 ? [text.join("\n")] : [];
  return [`## ${title}`, ...paragraphs, ...images, ...tables.map(markdownOf)].join("\n\n");
}
