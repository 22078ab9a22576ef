// The parts of a line of JSON, or of server-sent events with JSON in their data. A string of JSON ends with its line, so each
// line is read by itself: only what is in sight is ever looked at.

export type TokenKind = "key" | "string" | "atom" | "field" | "quiet";

export interface Token {
  kind: TokenKind;
  /** Code units from the line's start. */
  from: number;
  to: number;
}

const eventField = /^(?:data|event|id|retry):/;
const start = /["[\]{},:]+|-?\d[\d.eE+-]*|\b(?:true|false|null)\b/g;
const colon = /\s*:/y;

/** What stands between two places of a line. A token that crosses one of them is cut. */
export function* tokens(line: string, from = 0, to = line.length): Generator<Token> {
  const field = Math.min(to, eventField.exec(line)?.[0].length ?? 0);
  if (from < field) yield { kind: "field", from, to: field };
  start.lastIndex = outsideStrings(line, Math.max(field, from), field);
  for (let found = start.exec(line); found && found.index < to; found = start.exec(line)) {
    const token = tokenAt(line, found.index, found[0]);
    if (token.to > from) yield { ...token, from: Math.max(token.from, from), to: Math.min(token.to, to) };
    // The generator's reader may have read another line meanwhile.
    start.lastIndex = token.to;
  }
}

function tokenAt(line: string, from: number, text: string): Token {
  const quote = text.indexOf('"');
  if (quote > 0) return { kind: "quiet", from, to: from + quote };
  if (quote < 0) return { kind: /^[-\dtfn]/.test(text) ? "atom" : "quiet", from, to: from + text.length };
  const to = stringEnd(line, from);
  colon.lastIndex = to;
  return { kind: colon.test(line) ? "key" : "string", from, to };
}

/** Where the string ends that begins with this quote: after its other quote, or with the line. */
export function stringEnd(line: string, from: number): number {
  let quote = from;
  do {
    quote = line.indexOf('"', quote + 1);
    if (quote < 0) return line.length;
  } while (isEscaped(line, quote, from));
  return quote + 1;
}

function isEscaped(line: string, at: number, from: number): boolean {
  let slash = at;
  while (slash - 1 > from && line[slash - 1] === "\\") slash--;
  return (at - slash) % 2 === 1;
}

/** The place itself, or the start of the string that it is in. */
function outsideStrings(line: string, at: number, from: number): number {
  let end = from;
  for (let quote = line.indexOf('"', end); quote >= 0 && quote < at; quote = line.indexOf('"', end)) {
    end = stringEnd(line, quote);
    if (end > at) return quote;
  }
  return at;
}
