// The page of quirks as Markdown.

const INTRODUCTION = `<!-- Written by \`npm run docs:quirks\` from tests/quirks.json and tests/vectors: change those. -->

# Quirks

What goes wrong when tool calling is converted between providers, what this package does about it, and the
[vectors](../tests/vectors/README.md) that prove it. The vectors name the quirks by these numbers, so there are gaps.
`;

const SAYINGS = {
  does: (text) => text,
  refuses: (text) => `*Refused on purpose.* ${text}`,
  elsewhere: (text) => `*Not here.* ${text}`,
  see: (numbers) => `See ${numbers.join(", ")}.`,
  later: (text) => `*Not yet.* ${text}`,
  open: (text) => `*To be settled.* ${text}`.trim(),
};

export function page(sections, proofs) {
  const parts = Object.entries(sections).map(([title, rows]) => {
    const lines = Object.entries(rows).map(([number, row]) => line(number, row, proofs.get(number) ?? []));
    return `\n## ${title}\n\n${lines.join("\n")}\n`;
  });
  return INTRODUCTION + parts.join("");
}

function line(number, { about, ...row }, vectors) {
  const [[saying, text]] = Object.entries(row);
  return `- **${number}. ${about}.** ${SAYINGS[saying](text)}${proof(vectors)}`;
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
