// Shared by all instances, so that `instanceof` holds after a trap: no state here.

export class ToolwireError extends Error {
  constructor(code, message, path, dialect) {
    super(message);
    this.name = "ToolwireError";
    this.code = code;
    this.path = path;
    if (dialect !== undefined) this.dialect = dialect;
  }
}

export function makeError(code, message, path, dialect) {
  return new ToolwireError(code, message, path, dialect);
}
