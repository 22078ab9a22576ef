// The code that runs in the worker. It is a string that depends only on the platform, so that bundlers don't need to
// process it.

/**
 * The body of a function with the parameters `receive(handler)` and `send(message)`, shared by all kinds of
 * workers.
 */
const body = `
const controller = new AbortController();
const isGenerator = (value) =>
  typeof value?.next === "function" &&
  (typeof value[Symbol.asyncIterator] === "function" || Object.prototype.toString.call(value) === "[object Generator]");
async function run({ url, args, call }) {
  const execute = (await import(url)).default;
  if (typeof execute !== "function") throw new Error("the module has no function as its default export");
  const addUsage = (usage) => send({ type: "usage", usage });
  const output = await execute(args, { ...call, signal: controller.signal, addUsage });
  if (!isGenerator(output)) return output;
  for (let last; ; ) {
    const { done, value } = await output.next();
    if (done) return value === undefined ? last : value;
    last = value;
    send({ type: "progress", value });
  }
}
function failed(error) {
  const isToolError = error?.name === "ToolError" && typeof error.type === "string";
  const toolError = isToolError ? { type: error.type, retryable: error.retryable !== false } : undefined;
  const message = typeof error === "string" ? error : String(error?.message ?? "");
  send({ type: "failed", name: String(error?.name ?? "Error"), message, toolError });
}
receive((task) => run(task).then((output) => send({ type: "done", output })).catch(failed));
`;

/** For `worker_threads`. It runs both as a script and as a module, because process flags decide which of them it is. */
const node = `
import("node:worker_threads").then(({ parentPort }) => {
const send = (message) => parentPort.postMessage(message);
const receive = (handler) => parentPort.once("message", handler);
${body}
});`;

/** For web workers, as a module. */
const web = `
const send = (message) => postMessage(message);
const receive = (handler) => { onmessage = ({ data }) => handler(data); };
${body}`;

export const bootstrap = { node, web };
