// Tables of measurements: `{ title, columns, rows, isLong }`. Every cell is a text; the first column is left-aligned.

let met = 0;
let missed = 0;

/** The last two cells of a row with a target: the target, and whether it is met. */
export function aim(text, holds) {
  if (holds) met += 1;
  else missed += 1;
  return [text, holds ? "met" : "MISSED"];
}

export const noAim = ["", ""];

/** At most a limit. */
export const atMost = (value, limit, show = (number) => number.toFixed(2)) => aim(`≤ ${show(limit)}`, value <= limit);

export function summary() {
  return `targets: ${met} met, ${missed} missed`;
}

export function textOf({ title, columns, rows }) {
  const widths = columns.map((_, index) => Math.max(...[columns, ...rows].map((row) => row[index].length)));
  const line = (row) =>
    row.map((cell, index) => (index === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[index]))).join("  ");
  return [title, ...[columns, ...rows].map((row) => `  ${line(row)}`.trimEnd())].join("\n");
}

export function markdownOf({ title, columns, rows, isLong }) {
  const line = (cells) => `| ${cells.map(markdownCell).join(" | ")} |`;
  const alignment = columns.map((_, index) => (index === 0 ? "---" : "---:"));
  const lines = [line(columns), line(alignment), ...rows.map(line)];
  if (!isLong) return [`**${title}**`, "", ...lines].join("\n");
  return [`<details><summary>${title}</summary>`, "", ...lines, "", "</details>"].join("\n");
}

/** Angle brackets, such as those of the names of functions, would be HTML outside of code. */
function markdownCell(cell) {
  const text = cell.includes("<") && !cell.includes("`") ? `\`${cell}\`` : cell;
  return text.replaceAll("|", "\\|");
}

export const kB = (bytes) => `${(bytes / 1000).toFixed(1)} kB`;
export const MB = (bytes) => `${(bytes / 1e6).toFixed(2)} MB`;
export const micros = (nanoseconds) => (nanoseconds / 1000).toFixed(2);
