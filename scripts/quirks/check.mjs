// What must hold of the table of quirks.

/** What a row says beside `about`, exactly one of these; those that are true must be proven by a vector. */
const PROVEN = ["does", "refuses"];
const SAYINGS = [...PROVEN, "elsewhere", "see", "later", "open"];

/** Every number has a row. Those of streams have one as soon as vectors name them. */
const LAST = 225;
const isOfStreams = (number) => number >= 142 && number <= 170;

/** One line for each thing that is wrong. `sections` is the table, `proofs` a Map of number → vectors. */
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
  const [saying, ...others] = Object.keys(row);
  if (typeof about !== "string" || others.length > 0 || !SAYINGS.includes(saying)) {
    return [`needs "about" and one of ${SAYINGS.join(", ")}`];
  }
  if (PROVEN.includes(saying) && !vectors) return [`"${saying}", but no vector names it`];
  if (!PROVEN.includes(saying) && vectors) return [`"${saying}", but ${vectors[0].name} names it`];
  if (saying === "see") return row.see.filter((number) => !known.has(number)).map((number) => `no ${number} to see`);
  return [];
}
