// Shared by all instances: `instanceof` and the default options hold after a trap. No other state here outlives a call.

const brand = Symbol.for("toolwire.ToolwireError");

export class ToolwireError extends Error {
  constructor(code, message, path, dialect, place) {
    super(message);
    this.name = "ToolwireError";
    this.code = code;
    this.path = path;
    if (dialect !== undefined) this.dialect = dialect;
    if (place !== undefined) Object.assign(this, place);
  }

  get [brand]() {
    return true;
  }

  /** Also true for errors of another copy of this module: `import` and `require` in one process load one each. */
  static [Symbol.hasInstance](value) {
    if (this !== ToolwireError) return Function.prototype[Symbol.hasInstance].call(this, value);
    return typeof value === "object" && value !== null && value[brand] === true;
  }
}

/** The options that apply to calls that omit them. An object, so that all instances see a change. */
export const defaults = { options: undefined };

const NONE = Symbol("no failure");
let failure = NONE;

/** Keeps what the facade is to throw: the exported function returns undefined. */
export function fail(error) {
  failure = error;
}

/** Throws what the last call failed with, if it did. */
export function throwFailure() {
  const error = failure;
  failure = NONE;
  if (error !== NONE) throw error;
}

export function makeError({ code, message, path, dialect, place }) {
  return new ToolwireError(code, message, path, dialect, place);
}
