export function makeMessage(toolCallId, name, given) {
  const message = (kind, value) => ({ role: "tool", toolCallId, name, kind, value });
  if (typeof given === "string") return message("text", given);
  if (given === undefined) return message("text", "");
  return isError(given) ? message("error", errorText(given)) : message("data", given);
}

/** Whether it is an error of this realm or another; a Proxy may throw, and is none then. */
function isError(value) {
  try {
    return value instanceof Error || Object.prototype.toString.call(value) === "[object Error]";
  } catch {
    return false;
  }
}

/** What an error says, for the model to read. */
function errorText(error) {
  try {
    return String(error.message) || String(error.name) || "Error";
  } catch {
    return "an error that cannot be shown";
  }
}
