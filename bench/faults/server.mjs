// A server with OpenAI's Chat Completions on the loopback interface, which plays the script of a fault.
//
// Like OpenAI's, it rejects conversations whose calls and results do not match ("Invalid parameter: Duplicate value for 'tool_call_id'":
// https://github.com/agno-agi/agno/issues/5116), and requests that exceed the context.

import { createServer } from "node:http";
import { error } from "./replies.mjs";

/** Bytes of a request; about 250 000 tokens. */
const CONTEXT = 1_000_000;

/** Resolves with `{url, close}`. */
export async function startServer(fault) {
  let count = 0;
  let start;
  const server = createServer(async (request, out) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    start ??= performance.now();
    count++;
    replyTo(fault, body, { count, sinceFirst: performance.now() - start })(out, fault.isStream);
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${server.address().port}`, close };
}

function replyTo(fault, body, progress) {
  if (body.length > CONTEXT) {
    return error(400, `This model's maximum context length is 250000 tokens, but the request has more.`);
  }
  const { messages } = JSON.parse(body);
  const problem = problemOf(messages);
  if (problem) return error(400, problem);
  if (fault.server) return fault.server(progress);
  const results = messages.slice(messages.findLastIndex(({ role }) => role === "assistant") + 1);
  return results.some(({ role }) => role === "tool") ? fault.next(JSON.stringify(results)) : fault.first;
}

/** What is wrong with the calls and results of a conversation, if anything. */
function problemOf(messages) {
  for (const [index, { tool_calls = [] }] of messages.entries()) {
    const ids = tool_calls.map(({ id }) => id);
    const following = messages.slice(index + 1, index + 1 + ids.length).map(({ tool_call_id }) => tool_call_id);
    const twice = ids.find((id, at) => ids.indexOf(id) !== at);
    if (twice !== undefined) return `Invalid parameter: Duplicate value for 'tool_call_id' of '${twice}' in messages.`;
    const lacking = ids.find((id) => !following.includes(id));
    if (lacking !== undefined) return `No tool message responds to the tool_call_id '${lacking}'.`;
  }
  return undefined;
}
