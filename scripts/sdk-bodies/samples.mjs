// Values of a TypeScript type, such that every member of every type that it contains, and every alternative of a union, is in one of them.

import ts from "typescript-5";

const { TypeFlags } = ts;
/** Members that clients have for themselves: unknown alternatives, streams and signals. */
const ownMembers = /^\$|^(abortSignal|signal)$/;
const deepest = 12;

/** The text of a member by its key. Others are texts without a meaning. */
const texts = [
  [/^(data|bytes|image|image_bytes|thought_?signature|signature|encrypted_content|redactedContent)$/i, "aGVsbG8="],
  [/(^|_)(url|uri)$|Ur[il]$/, "https://example.com/a"],
  [/mime_?type|media_?type/i, "image/png"],
  [/^(arguments|partial_json)$/, '{"city":"Bern"}'],
  [/id$/i, "call_1"],
  [/name$/i, "weather"],
  [/^model/i, "m"],
];

/** Schemas, which clients declare as any object. */
const schemas = /^(parameters|schema|input_schema|json|responseJsonSchema|parametersJsonSchema|json_schema|format)$/;
const schema = {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
  additionalProperties: false,
};

export class Samples {
  #checker;
  #expanded = new Set();

  constructor(checker) {
    this.#checker = checker;
  }

  /** All values of a type: the least one, then one for each member or alternative that was not in a value before. */
  all(type, key = "", stack = []) {
    const leaf = this.#leaf(type, key);
    if (leaf !== undefined) return leaf;
    if (stack.includes(type) || this.#expanded.has(type)) return this.#alternatives(type, key, stack);
    const within = [...stack, type];
    if (type.isUnion()) return type.types.flatMap((one) => this.all(one, key, within));
    const element = this.#element(type);
    if (element !== undefined) return this.all(element, key, within).map((value) => [value]);
    const base = this.least(type, key, stack);
    if (base === undefined) return [];
    const members = this.#members(type);
    const found = members.flatMap(({ name, type: of }) =>
      this.all(of, name, within).map((value) => ({ ...base, [name]: value })),
    );
    this.#expanded.add(type);
    return [base, ...found];
  }

  /** The value with the fewest members; undefined if there is none that JSON has. */
  least(type, key = "", stack = []) {
    return this.#alternatives(type, key, stack)[0];
  }

  /** The least value of each alternative. */
  #alternatives(type, key, stack) {
    const leaf = this.#leaf(type, key);
    if (leaf !== undefined) return leaf;
    if (stack.length > deepest || stack.filter((one) => one === type).length > 1) return [];
    const within = [...stack, type];
    if (type.isUnion()) {
      const found = type.types.flatMap((one) => this.#alternatives(one, key, within).slice(0, 1));
      // what may be the role of the user is that
      return key === "role" && found.includes("user") ? ["user", ...found.filter((role) => role !== "user")] : found;
    }
    const element = this.#element(type);
    if (element !== undefined) return [this.#alternatives(element, key, within).slice(0, 1)];
    const object = {};
    for (const { name, type: of, isOptional } of this.#members(type)) {
      if (isOptional) continue;
      const [value] = this.#alternatives(of, name, within);
      if (value === undefined) return [];
      object[name] = value;
    }
    return [object];
  }

  /** The values of a type without members, [] if JSON has none of it, undefined for others. */
  #leaf(type, key) {
    const { flags } = type;
    if (type.isStringLiteral() || type.isNumberLiteral()) return [type.value];
    if (flags & TypeFlags.BooleanLiteral) return [this.#checker.typeToString(type) === "true"];
    if (flags & TypeFlags.Boolean) return [true, false];
    if (flags & (TypeFlags.String | TypeFlags.TemplateLiteral)) return [textOf(key)];
    if (flags & (TypeFlags.Number | TypeFlags.BigInt)) return [1];
    if (flags & TypeFlags.Null) return [null];
    if (flags & (TypeFlags.Any | TypeFlags.Unknown | TypeFlags.NonPrimitive)) return [open(key)];
    if (flags & (TypeFlags.Undefined | TypeFlags.Void | TypeFlags.Never | TypeFlags.ESSymbol)) return [];
    if (type.isUnion()) return undefined;
    // `string & {}`, beside the known words
    if (type.isIntersection() && type.types.some(({ flags }) => flags & TypeFlags.String)) return [textOf(key)];
    if (type.symbol?.name === "Uint8Array") return [new Uint8Array([104, 105])];
    if (/^(Blob|Date|ReadableStream|AbortSignal|Promise)$/.test(type.symbol?.name ?? "")) return [];
    if (type.getCallSignatures().length > 0) return [];
    if (schemas.test(key) && this.#isRecord(type)) return [schema];
    return undefined;
  }

  #isRecord(type) {
    const isNamed = this.#checker.getPropertiesOfType(type).length > 0;
    return !isNamed && this.#checker.getIndexTypeOfType(type, ts.IndexKind.String) !== undefined;
  }

  #element(type) {
    if (!this.#checker.isArrayLikeType(type)) return undefined;
    return this.#checker.getIndexTypeOfType(type, ts.IndexKind.Number);
  }

  #members(type) {
    const named = this.#checker
      .getPropertiesOfType(type)
      .filter((member) => !ownMembers.test(member.name) && !(member.flags & ts.SymbolFlags.Method))
      .map((member) => ({
        name: member.name,
        type: this.#checker.getTypeOfSymbol(member),
        isOptional: (member.flags & ts.SymbolFlags.Optional) !== 0,
      }))
      .filter(({ isOptional, type: of }) => !(isOptional && of.flags & TypeFlags.Never));
    const any = this.#checker.getIndexTypeOfType(type, ts.IndexKind.String);
    return any === undefined ? named : [...named, { name: "a", type: any, isOptional: true }];
  }
}

function open(key) {
  return schemas.test(key) ? schema : { a: 1 };
}

function textOf(key) {
  return texts.find(([keys]) => keys.test(key))?.[1] ?? "text";
}
