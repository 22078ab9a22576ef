export class ToolwireError extends Error {
  constructor(code, message, path, dialect) {
    super(message);
    this.name = "ToolwireError";
    this.code = code;
    this.path = path;
    if (dialect !== undefined) this.dialect = dialect;
  }
}

export function makeError(code, message, path) {
  return new ToolwireError(code, message, path);
}
