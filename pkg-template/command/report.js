// Writes messages to standard error, one per line.

/** In a terminal, `link` adds hyperlinks to the line. */
export function report(line, link) {
  const text = printable(line);
  const { isTTY } = process.stderr;
  process.stderr.write(`${link && isTTY && process.env.TERM !== "dumb" ? link(text) : text}\n`);
}

export function warningLine({ code, path, message, lossy }) {
  return `warning: ${code} at ${JSON.stringify(path)}${lossy ? " (lossy)" : ""}: ${message}`;
}

export function errorLine({ code, path, message }) {
  return `error: ${code} at ${JSON.stringify(path)}: ${withoutPath({ path, message })}`;
}

/** The message of an error, without the path at its start. */
export function withoutPath({ path, message }) {
  return path !== "" && message.startsWith(path) ? message.slice(path.length).replace(/^:? /, "") : message;
}

export function problemLine({ code, path, message }, callId) {
  return `problem: ${code} at ${JSON.stringify(path)} of call ${callId}: ${message}`;
}

/** Escapes control characters and line breaks, because messages may quote the input. */
function printable(text) {
  const escaped = (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, escaped);
}
