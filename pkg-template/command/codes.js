// The page that describes the codes of warnings and errors.

/** Beside the folder of the built command. */
export const page = new URL("../docs/codes.md", import.meta.url);

/** Makes a code in a line a hyperlink to what it means, as terminals read it (OSC 8). Other terminals ignore it. */
export function linkTo(code) {
  const link = (address) => `\u001b]8;;${address}\u001b\\`;
  const linked = `${link(`${page.href}#${code}`)}${code}${link("")}`;
  return (line) => line.replace(`: ${code} at `, `: ${linked} at `);
}
