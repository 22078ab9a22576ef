// Tokenizes and formats JSON text without parsing numbers, so that all digits are preserved.

/** The `[start, end]` of each token of valid JSON text. */
export function* tokens(text) {
  const other = /[[\]{},:]|[^\s"[\]{},:]+/y;
  const space = /\s*/y;
  let at = 0;
  while (true) {
    space.lastIndex = at;
    space.test(text);
    const start = space.lastIndex;
    if (start >= text.length) return;
    if (text[start] === '"') {
      at = stringEnd(text, start);
    } else {
      other.lastIndex = start;
      other.test(text);
      at = other.lastIndex;
    }
    yield [start, at];
  }
}

function stringEnd(text, start) {
  let end = start + 1;
  while (true) {
    end = text.indexOf('"', end) + 1;
    let escapes = end - 2;
    while (text[escapes] === "\\") escapes--;
    if ((end - 2 - escapes) % 2 === 0) return end;
  }
}

export function indented(text) {
  const parts = [];
  let depth = 0;
  let previous = "";
  const newLine = () => parts.push(`\n${"  ".repeat(depth)}`);
  for (const [start, end] of tokens(text)) {
    const token = text.slice(start, end);
    const closes = token === "}" || token === "]";
    if (closes) depth--;
    const afterOpening = previous === "{" || previous === "[";
    if (closes ? !afterOpening : afterOpening || previous === ",") newLine();
    parts.push(token === ":" ? ": " : token);
    if (token === "{" || token === "[") depth++;
    previous = token;
  }
  return parts.join("");
}

/** The text of the last member with this name, which is the effective one. Undefined if there is none. */
export function memberText(text, name) {
  let depth = 0;
  let before = "";
  let key;
  let begin = 0;
  let found;
  for (const [start, end] of tokens(text)) {
    const token = text.slice(start, end);
    if (token === "}" || token === "]") depth--;
    if (depth === 1 && token === ":") {
      key = JSON.parse(before);
      begin = end;
    } else if (key === name && ((depth === 1 && token === ",") || depth === 0)) {
      found = text.slice(begin, start).trim();
    }
    if (token === "{" || token === "[") depth++;
    before = token;
  }
  return found;
}
