// Shared by all instances, so that `instanceof` holds after a trap: no state here.

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

export function makeError(code, message, path, dialect, offset, event) {
  return new ToolwireError(code, message, path, dialect, offset === undefined ? undefined : { offset, event });
}
