// Writes the page of quirks as Markdown.

const INTRODUCTION = `<!-- Written by \`npm run docs:quirks\` from tests/quirks.json and tests/vectors: change those. -->

# Quirks

What goes wrong when tool calling is converted between providers, what this package does about it, and the
[vectors](../tests/vectors/README.md) that prove it. The vectors name the quirks by these numbers, so there are gaps.
`;

/** The quirks that affect most programs. */
const HIGHLIGHTS = ["Q6", "Q23", "Q32", "Q65", "Q83", "Q89", "Q111", "Q112", "Q149", "Q201"];

const STATUSES = {
  does: (text) => text,
  refuses: (text) => `*Refused on purpose.* ${text}`,
  elsewhere: (text) => `*Not here.* ${text}`,
  see: (numbers) => `See ${numbers.join(", ")}.`,
  later: (text) => `*Not yet.* ${text}`,
  open: (text) => `*Undecided.* ${text}`.trim(),
};

export function page(sections, proofs, numbers = HIGHLIGHTS) {
  const parts = Object.entries(sections).map(([title, rows]) => {
    const lines = Object.entries(rows).map(([number, row]) => line(number, row, proofs.get(number) ?? []));
    return `\n## ${title}\n\n${lines.join("\n")}\n`;
  });
  return INTRODUCTION + contents(Object.keys(sections)) + highlights(sections, numbers) + parts.join("");
}

const anchor = (title) =>
  title
    .toLowerCase()
    .replaceAll(/[^\w -]/g, "")
    .replaceAll(" ", "-");

function contents(titles) {
  return `\n${titles.map((title) => `- [${title}](#${anchor(title)})`).join("\n")}\n`;
}

/** Rows without the vectors that prove them. */
function highlights(sections, numbers) {
  const rows = new Map(Object.values(sections).flatMap(Object.entries));
  const lines = numbers.map((number) => line(number, rows.get(number), []));
  return `\n## Ten quirks that most programs meet\n\n${lines.join("\n")}\n`;
}

function line(number, { about, ...row }, vectors) {
  const [[status, text]] = Object.entries(row);
  return `- **${number}. ${about}.** ${STATUSES[status](text)}${proof(vectors)}`;
}

/** The vectors of each file, behind a link to it. */
function proof(vectors) {
  const files = [...new Set(vectors.map(({ file }) => file))];
  const listed = files.map((file) => {
    const names = vectors.filter((vector) => vector.file === file).map(({ name }) => `\`${name}\``);
    return `\n  - [${file}](../tests/vectors/${file}): ${names.join(", ")}`;
  });
  return listed.join("");
}
