/** A warning as lines of text. */
export function warningLines({ code, path, message, lossy }) {
  return [`! ${code} at ${JSON.stringify(path)}${lossy ? " (lossy)" : ""}`, `  ${message}`];
}
