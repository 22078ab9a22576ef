// Words of a command line, as a shell would split them.

/** Ends at the end of the command; a here-document of it is the last word. */
export function shellWords(text: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let at = 0;
  while (at < text.length) {
    const rest = text.slice(at);
    const document = /^<<-?\s*(['"]?)(\w+)\1[^\n]*\n([\s\S]*?)\n\s*\2(?:\n|$)/.exec(rest);
    const continued = /^(?:\\\r?\n|\^\r?\n|`\r?\n)/.exec(rest);
    if (document) {
      if (word !== undefined) words.push(word);
      return [...words, document[3] ?? ""];
    }
    if (continued) at += continued[0].length;
    else if (/^[\s;|&]/.test(rest)) {
      if (word !== undefined) words.push(word);
      word = undefined;
      if (/^(?:\n|[;|&])/.test(rest) && words.length > 0) return words;
      at += 1;
    } else {
      const [length, part] = partOf(rest);
      word = (word ?? "") + part;
      at += length;
    }
  }
  return word === undefined ? words : [...words, word];
}

const escapes: Record<string, string> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f", "0": "\0" };

/** The length and the value of the quoted or plain text at the start. */
function partOf(text: string): [number, string] {
  const single = /^'([^']*)'/.exec(text);
  if (single) return [single[0].length, single[1] ?? ""];
  const ansi = /^\$'((?:[^'\\]|\\[\s\S])*)'/.exec(text);
  if (ansi) {
    const value = (ansi[1] ?? "").replace(/\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([\s\S]))/g, (_, u, x, other) =>
      u || x ? String.fromCharCode(Number.parseInt(u ?? x, 16)) : (escapes[other] ?? other),
    );
    return [ansi[0].length, value];
  }
  const double = /^"((?:[^"\\]|\\[\s\S])*)"/.exec(text);
  if (double)
    return [double[0].length, (double[1] ?? "").replace(/\\([\\"$`\n])/g, (_, char) => (char === "\n" ? "" : char))];
  if (text[0] === "\\") return [2, text[1] ?? ""];
  return [1, text[0] ?? ""];
}
