// What runs in the worker. It is source text, so that no bundler has to know of it: the text depends on nothing but the platform.

/** The body of a function of `receive(handler)` and `send(message)`, shared by all kinds of workers. */
const body = `
const controller = new AbortController();
const isGenerator = (value) => typeof value?.[Symbol.asyncIterator] === "function" && typeof value.next === "function";
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

/** For `worker_threads`: a script or a module, whichever the flags of the process make of it. */
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
