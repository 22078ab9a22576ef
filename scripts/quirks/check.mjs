// Checks the table of quirks.

/** A row has `about` and exactly one of these fields. A row with a field that is true here must have a vector that proves it. */
const PROVEN = ["does", "refuses"];
const STATUSES = [...PROVEN, "elsewhere", "see", "later", "open"];

/** The numbers that must have a row: those of streams only if a vector names them. */
const LAST = 225;
const isOfStreams = (number) => number >= 142 && number <= 170;

/** One line for each mistake. `sections` is the table, `proofs` a Map of number → vectors. */
export function problems(sections, proofs) {
  const rows = Object.values(sections).flatMap(Object.entries);
  const known = new Map(rows);
  const found = rows.flatMap(([number, row]) =>
    problemsOfRow(row, proofs.get(number), known).map((problem) => `${number}: ${problem}`),
  );
  if (known.size < rows.length) found.push("a number has two rows");
  for (let number = 1; number <= LAST; number++) {
    if (!isOfStreams(number) && !known.has(`Q${number}`)) found.push(`Q${number}: no row`);
  }
  for (const [number, [first]] of proofs) {
    if (!known.has(number)) found.push(`${number}: no row, but ${first.name} names it`);
  }
  return found;
}

function problemsOfRow({ about, ...row }, vectors, known) {
  const [status, ...others] = Object.keys(row);
  if (typeof about !== "string" || others.length > 0 || !STATUSES.includes(status)) {
    return [`needs "about" and one of ${STATUSES.join(", ")}`];
  }
  if (PROVEN.includes(status) && !vectors) return [`"${status}", but no vector names it`];
  if (!PROVEN.includes(status) && vectors) return [`"${status}", but ${vectors[0].name} names it`];
  if (status === "see") return row.see.filter((number) => !known.has(number)).map((number) => `no ${number} to see`);
  return [];
}
