// Shared by all instances, so that `instanceof` holds after a trap: no state here that outlives a call.

export class ToolwireError extends Error {
  constructor(code, message, path, dialect, place) {
    super(message);
    this.name = "ToolwireError";
    this.code = code;
    this.path = path;
    if (dialect !== undefined) this.dialect = dialect;
    if (place !== undefined) Object.assign(this, place);
  }
}

let failure;

/** Notes what the facade is to throw, as the exported function gives nothing. */
export function fail(error) {
  failure = error;
}

export function throwFailure() {
  const error = failure;
  failure = undefined;
  throw error;
}

export function makeError(code, message, path, dialect, offset, event) {
  return new ToolwireError(code, message, path, dialect, offset === undefined ? undefined : { offset, event });
}
