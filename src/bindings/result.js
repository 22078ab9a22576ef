/** Whether it is an error of this realm or another; a Proxy may throw, and is none then. */
export function isError(value) {
  try {
    return value instanceof Error || Object.prototype.toString.call(value) === "[object Error]";
  } catch {
    return false;
  }
}

/** What an error says, for the model to read. */
export function errorText(error) {
  try {
    return String(error.message) || String(error.name) || "Error";
  } catch {
    return "an error that cannot be shown";
  }
}
