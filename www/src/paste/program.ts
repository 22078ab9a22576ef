// Reads calls and printed objects of Python and JavaScript: `create(model="m", …)` becomes `{"model": "m", …}`. What remains of the
// language's notation, such as `None` and single quotes, is left to the repair of JSON.

/** Undefined if the text has no call with arguments. */
export function codeAsData(text: string): string | undefined {
  const start = /(?:^|[\s=(])((?:[A-Za-z_$][\w$]*\.)*[A-Za-z_$][\w$]*)\s*\(\s*(?:[{[]|[A-Za-z_]\w*\s*=[^=])/.exec(text);
  if (!start) return undefined;
  const from = start.index + start[0].indexOf(start[1] ?? "");
  return new Reader(text, from).read();
}

class Reader {
  readonly #text: string;
  #at: number;
  #out = "";
  /** What closes the open brackets, innermost last. */
  readonly #closers: { source: string; data: string }[] = [];

  constructor(text: string, at: number) {
    this.#text = text;
    this.#at = at;
  }

  read(): string | undefined {
    do {
      if (this.#at >= this.#text.length) return undefined;
      this.#step();
    } while (this.#closers.length > 0);
    return this.#out;
  }

  #step(): void {
    const rest = this.#text.slice(this.#at, this.#at + 400);
    const triple = /^[rbfuRBFU]{0,2}("""|''')/.exec(rest);
    const quote = /^[rbfuRBFU]{0,2}(["'`])/.exec(rest);
    const comment = /^(?:#|\/\/)[^\n]*/.exec(rest);
    const enumerated = /^<[\w.]+: ('[^']*'|"[^"]*"|\d+)>/.exec(rest);
    const name = /^(?:(?:await|new)\s+)?(?:[A-Za-z_$][\w$]*\.)*[A-Za-z_$][\w$]*/.exec(rest);
    if (triple) this.#string(triple[0].length, triple[1] ?? "");
    else if (quote) this.#string(quote[0].length, quote[1] ?? "");
    else if (comment) this.#skip(comment[0].length);
    else if (enumerated) this.#put(enumerated[1] ?? "", enumerated[0].length);
    else if (name) this.#name(name[0], rest.slice(name[0].length));
    else this.#mark(rest[0] ?? "");
  }

  #string(opening: number, quote: string): void {
    const from = this.#at + opening;
    let end = from;
    while (end < this.#text.length && !this.#text.startsWith(quote, end)) end += this.#text[end] === "\\" ? 2 : 1;
    const content = this.#text.slice(from, end);
    const put = quote.length === 3 || quote === "`" ? JSON.stringify(content) : quote + content + quote;
    this.#put(put, end + quote.length - this.#at);
  }

  #name(name: string, rest: string): void {
    const assigned = /^\s*=(?!=)/.exec(rest);
    const called = /^\s*\(/.exec(rest);
    if (assigned && this.#closers.length > 0) this.#put(`${JSON.stringify(name)}: `, name.length + assigned[0].length);
    else if (called) {
      const inside = rest.slice(called[0].length);
      const isNamed = /^\s*(?:\)|[A-Za-z_]\w*\s*=[^=])/.test(inside);
      this.#closers.push({ source: ")", data: isNamed ? "}" : "" });
      this.#put(isNamed ? "{" : "", name.length + called[0].length);
    } else this.#put(name, name.length);
  }

  #mark(mark: string): void {
    const closer = { "{": "}", "[": "]", "(": ")" }[mark];
    if (closer) this.#closers.push({ source: closer, data: closer === ")" ? "" : closer });
    const isClosing = mark === this.#closers.at(-1)?.source && !closer;
    if (isClosing) this.#put(this.#closers.pop()?.data ?? "", 1);
    else this.#put(mark === "(" ? "" : mark, 1);
  }

  #put(data: string, length: number): void {
    this.#out += data;
    this.#at += length;
  }

  #skip(length: number): void {
    this.#at += length;
  }
}
