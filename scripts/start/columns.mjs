// Prints texts side by side, or one below the other if the terminal is too narrow.

const gap = "  │  ";
const narrowest = 34;

/** Each column is `{ title, lines }`. */
export function printColumns(columns, width = process.stdout.columns ?? 150) {
  const each = Math.floor((width - gap.length * (columns.length - 1)) / columns.length);
  if (each < narrowest) {
    for (const { title, lines } of columns) console.log(`${[bar(title, width), ...lines].join("\n")}\n`);
    return;
  }
  const wrapped = columns.map(({ title, lines }) => [bar(title, each), ...lines.flatMap((line) => wrap(line, each))]);
  const height = Math.max(...wrapped.map((lines) => lines.length));
  for (let row = 0; row < height; row++) {
    const cells = wrapped.map((lines) => (lines[row] ?? "").padEnd(each));
    console.log(cells.join(gap).trimEnd());
  }
  console.log();
}

function bar(title, width) {
  return `── ${title} ${"─".repeat(Math.max(0, width - title.length - 4))}`;
}

/** Breaks a line at the width, at a space if there is one, and indents the rest slightly more. */
function wrap(line, width) {
  const indent = " ".repeat(Math.min(line.search(/\S|$/) + 2, width >> 1));
  const lines = [];
  let rest = line;
  while (rest.length > width) {
    const space = rest.lastIndexOf(" ", width);
    const end = space > indent.length ? space : width;
    lines.push(rest.slice(0, end));
    rest = indent + rest.slice(end).trimStart();
  }
  return [...lines, rest];
}
