// State that all instances share, so that `instanceof` and the default options work after a trap. Nothing else here outlives a call.

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
}

// `instanceof` also accepts errors of another copy of this module: `import` and `require` in one process each load their own.
const isInstance = Function.prototype[Symbol.hasInstance];
Object.defineProperty(ToolwireError, Symbol.hasInstance, {
  value: function (value) {
    if (this !== ToolwireError) return isInstance.call(this, value);
    return typeof value === "object" && value !== null && value[brand] === true;
  },
});

/** The options that apply to calls that omit them. An object, so that all instances see a change. */
export const defaults = { options: undefined };

let failure;

/** Stores the error that the facade throws, because the exported function then returns undefined. */
export function fail(error) {
  failure = { error };
}

/** `{ error }` if the last call failed. */
export function takeFailure() {
  const taken = failure;
  failure = undefined;
  return taken;
}

const tasks = new WeakMap();

/** What was being converted when an error was made: `{ kind, from }`. */
export function taskOf(error) {
  return tasks.get(error);
}

export function makeError({ code, message, path, dialect, place, task }) {
  const error = new ToolwireError(code, message, path, dialect, place);
  if (task !== undefined) tasks.set(error, task);
  return error;
}
