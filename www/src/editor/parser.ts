// Trees of JSON, and of server-sent events with JSON in their data; what is neither is passed over. They are made here, as what
// @lezer/lr makes of a grammar weighs 9 kB more (gzip), with which the page would be larger than it may be.

import { foldNodeProp } from "@codemirror/language";
import { type Input, NodeProp, NodeSet, NodeType, Parser, type PartialParse, Tree } from "@lezer/common";
import { styleTags, tags } from "@lezer/highlight";

const names = ["Source", "Object", "Array", "Key", "String", "Atom", "Field", "{", "}", "[", "]", "Separator"] as const;
type Name = (typeof names)[number];
const idOf = (name: Name) => names.indexOf(name);

const nodes = new NodeSet(names.map((name, id) => NodeType.define({ id, name, top: id === 0 }))).extend(
  styleTags({
    Key: tags.propertyName,
    String: tags.string,
    Atom: tags.atom,
    Field: tags.labelName,
    "{ } [ ] Separator": tags.punctuation,
  }),
  // Words that run from right to left stay where JSON has them.
  NodeProp.isolate.add({ "Key String": "ltr" }),
  NodeProp.closedBy.add({ "{": ["}"], "[": ["]"] }),
  NodeProp.openedBy.add({ "}": ["{"], "]": ["["] }),
  foldNodeProp.add({
    "Object Array": ({ firstChild: first, lastChild: last }) =>
      first && last && isCloser(last.name) ? { from: first.to, to: last.from } : null,
  }),
);

const isCloser = (text: string) => text === "}" || text === "]";
const token = /["{}[\]]|[,:]+|-?\d[\d.eE+-]*|\b(?:true|false|null)\b|^(?:data|event|id|retry):/gm;
const colon = /\s*:/y;
/** Tokens that are read in one go. */
const many = 2000;

/** A node whose end is not read yet. `start` is the place of its first child in the buffer. */
interface Open {
  name: "Object" | "Array";
  from: number;
  start: number;
}

class Parse implements PartialParse {
  parsedPos = 0;
  stoppedAt: number | null = null;
  readonly #text: string;
  /** As Tree.build takes it: children before their parents, four numbers each. */
  readonly #buffer: number[] = [];
  readonly #open: Open[] = [];
  #lineEnd = -1;

  constructor(text: string) {
    this.#text = text;
  }

  stopAt(at: number): void {
    this.stoppedAt = at;
  }

  advance(): Tree | null {
    const end = this.stoppedAt ?? this.#text.length;
    for (let left = many; left > 0; left--) {
      token.lastIndex = this.parsedPos;
      const found = token.exec(this.#text);
      if (!found || found.index >= end) return this.#finish(end);
      this.parsedPos = Math.min(this.#read(found[0], found.index), end);
    }
    return null;
  }

  /** Gives where the token ends. */
  #read(text: string, from: number): number {
    const to = text === '"' ? this.#stringEnd(from) : from + text.length;
    if (text === "{" || text === "[") {
      this.#open.push({ name: text === "{" ? "Object" : "Array", from, start: this.#buffer.length });
      this.#add(text, from, to);
    } else if (isCloser(text)) {
      const opened = this.#open.findLastIndex(({ name }) => name === (text === "}" ? "Object" : "Array"));
      if (opened >= 0) this.#close(opened + 1, from);
      this.#add(text as "}" | "]", from, to);
      if (opened >= 0) this.#close(opened, to);
    } else this.#add(this.#nameOf(text, to), from, to);
    return to;
  }

  #nameOf(text: string, to: number): Name {
    if (/^[,:]/.test(text)) return "Separator";
    if (text !== '"') return text.endsWith(":") ? "Field" : "Atom";
    colon.lastIndex = to;
    return colon.test(this.#text) ? "Key" : "String";
  }

  #add(name: Name, from: number, to: number, start = this.#buffer.length): void {
    this.#buffer.push(idOf(name), from, to, this.#buffer.length - start + 4);
  }

  /** Closes all but the first so many. */
  #close(kept: number, at: number): void {
    while (this.#open.length > kept) {
      const { name, from, start } = this.#open.pop() as Open;
      this.#add(name, from, at, start);
    }
  }

  #finish(end: number): Tree {
    this.parsedPos = end;
    this.#close(0, end);
    return Tree.build({ buffer: this.#buffer, nodeSet: nodes, topID: 0, length: end });
  }

  /** After the string's other quote, or with its line. */
  #stringEnd(from: number): number {
    if (this.#lineEnd < from) {
      const end = this.#text.indexOf("\n", from);
      this.#lineEnd = end < 0 ? this.#text.length : end;
    }
    let quote = from;
    do {
      quote = this.#text.indexOf('"', quote + 1);
      if (quote < 0 || quote > this.#lineEnd) return this.#lineEnd;
    } while (this.#isEscaped(quote, from));
    return quote + 1;
  }

  #isEscaped(at: number, from: number): boolean {
    let slash = at;
    while (slash - 1 > from && this.#text[slash - 1] === "\\") slash--;
    return (at - slash) % 2 === 1;
  }
}

class JsonParser extends Parser {
  createParse(input: Input): PartialParse {
    return new Parse(input.read(0, input.length));
  }
}

export const parser = new JsonParser();
