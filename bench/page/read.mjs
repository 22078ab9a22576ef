// Reads the tables of the page.

const cellsOf = (line) =>
  line
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());

/** The tables of a section, each with the title before it. */
export function tablesOf(text) {
  const tables = [];
  let title = "";
  for (const line of text.split("\n")) {
    const named = /^(?:\*\*(.*)\*\*|<details><summary>(.*)<\/summary>)$/.exec(line);
    if (named) title = named[1] ?? named[2];
    else if (/^\| --- /.test(line)) tables.at(-1).isOpen = true;
    else if (line.startsWith("|") && tables.at(-1)?.isOpen) tables.at(-1).rows.push(cellsOf(line));
    else if (line.startsWith("|")) tables.push({ title, columns: cellsOf(line), rows: [], isOpen: false });
    else if (tables.length > 0) tables.at(-1).isOpen = false;
  }
  return tables.map(({ title, columns, rows }) => ({ title, columns, rows }));
}
