// Writes docs/performance.md and its plots from measurements.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { root } from "../../scripts/lib/run.mjs";
import { markdownOf } from "../tables.mjs";
import { arrange, taken } from "./arrange.mjs";

const page = "docs/performance.md";
const pictures = "performance";

/** Writes the whole page. */
export function writePage(sections, nodes) {
  rmSync(join(root, "docs", pictures), { recursive: true, force: true });
  return write(head(nodes), sections.map(sectionText), sections);
}

/** Replaces or adds these sections of the page. The others are unchanged. */
export function updatePage(sections) {
  const [head, texts] = taken(readFileSync(join(root, page), "utf8"));
  for (const section of sections) {
    const place = texts.findIndex((text) => text.startsWith(`### ${section.title}\n`));
    texts.splice(place < 0 ? texts.length : place, place < 0 ? 0 : 1, sectionText(section));
  }
  return write(head, texts, sections);
}

function write(head, texts, sections) {
  const folder = join(root, "docs", pictures);
  mkdirSync(folder, { recursive: true });
  for (const { file, svg } of sections.flatMap(({ plots }) => plots)) writeFileSync(join(folder, file), svg);
  writeFileSync(join(root, page), arrange(head, texts));
  return page;
}

function head(nodes) {
  const processors = cpus();
  const versions = nodes.map(({ version }) => version).join(" and ");
  return `# Performance

\`npm run bench -- docs\` writes this page from measurements, on Node ${versions} (${processors[0].model.trim()}, ${processors.length} cores).
Times are those of this machine. Ratios are our time ÷ the other's: below 1, toolwire is faster.

*By hand* is JavaScript that does the same work, written to be fast (\`bench/baseline\`, \`bench/streams/by-hand.mjs\`). It generates the same
output and reports the same losses, which is checked before anything is timed; it validates nothing else. Each figure is the median of many
samples after a warm-up, in a separate process that runs the sides in turn, from the better of the rounds.`;
}

function sectionText({ title, text, tables, plots }) {
  const images = plots.map(({ file, alt }) => `![${alt}](${pictures}/${file})`);
  const paragraphs = text.length > 0 ? [text.join("\n")] : [];
  return [`### ${title}`, ...paragraphs, ...images, ...tables.map(markdownOf)].join("\n\n");
}
