// docs/codes.md: a heading, which is an anchor, for every code.

const HEAD = `<!-- Written by \`npm run docs:codes\` from src/run/error.rs and src/run/warning.rs: change those. -->

# Codes of warnings and errors

Every warning goes to \`onWarning\`, with a \`code\`, a \`path\` (a JSON Pointer into the input) and a \`message\`. Every error is thrown as a
\`ToolwireError\` with the same members. [What a conversion keeps, changes and reports](format.md) describes the rules behind them. The
codes of providers' errors, which \`convertError\` reads, are in [Errors of providers](format.md#errors-of-providers).

With \`lossy: "error"\`, a lossy warning is thrown as an error with the code \`lossy\`.
`;

/** `cases` are the vectors; the page in the repository has none, because it would change with each of them. */
export function codesPage({ errors, warnings, cases = [] }) {
  const section = ({ code, meaning }, facts) => `\n### ${code}\n\n${facts}${meaning}\n${shownBy(code, cases)}`;
  const lossiness = ({ level }) => `Level: ${level}. `;
  return [
    HEAD,
    "\n## Warnings\n",
    ...warnings.map((row) => section(row, lossiness(row))),
    "\n## Errors\n",
    ...errors.map((row) => section(row, "")),
  ].join("");
}

/** Links to the first vectors with a code. */
function shownBy(code, cases) {
  const mark = `"code":"${code}"`;
  const found = cases.filter((one) => JSON.stringify(one).includes(mark)).slice(0, 3);
  if (found.length === 0) return "";
  const links = found.map(({ name, file }) => `[${name}](../tests/vectors/${file}.json)`);
  return `\nVectors that show it: ${links.join(", ")}.\n`;
}
