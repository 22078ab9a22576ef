// Two readers of texts with calls. `whole` reads a text, `inPieces` a list of its pieces; both return `{ calls, text, broken }`: the names
// and arguments of calls, the text outside of calls, and the text of broken calls. The peer keeps broken calls in the text.

import { parseToolText, readToolText } from "../../pkg/dist/text/node.js";

/** Formats that both support, with the peer's protocol. Delimiters are options of the peer. */
const protocols = {
  hermes_json: ({ hermesProtocol }) => hermesProtocol(),
  granite4: ({ hermesProtocol }) => hermesProtocol(),
  longcat: ({ hermesProtocol }) => delimited(hermesProtocol, "<longcat_tool_call>", "</longcat_tool_call>"),
  lmstudio: ({ hermesProtocol }) => delimited(hermesProtocol, "[TOOL_REQUEST]", "[END_TOOL_REQUEST]"),
  json: ({ hermesProtocol }) => delimited(hermesProtocol, "```json:toolCall\n", "\n```"),
  qwen3_xml: ({ qwen3CoderProtocol }) => qwen3CoderProtocol(),
  xml_body: ({ qwen3CoderProtocol }) => qwen3CoderProtocol(),
};
export const sharedFormats = Object.keys(protocols);

const delimited = (protocol, toolCallStart, toolCallEnd) => protocol({ toolCallStart, toolCallEnd });

const settingsOf = ({ format, tools, prefill }) => ({ format, tools, prefill, idSeed: "bench" });
const callOf = ({ name, arguments: values }) => ({ name, arguments: values });
const rawOf = ({ rawArguments }) => rawArguments;
const joined = (texts) => texts.join("");

const toolwire = {
  whole(text, given) {
    const read = parseToolText(text, settingsOf(given));
    return { calls: read.toolCalls.map(callOf), text: read.text, broken: read.invalidToolCalls.map(rawOf) };
  },
  inPieces(pieces, given) {
    const reader = readToolText(settingsOf(given));
    const events = [];
    for (const piece of pieces) events.push(...reader.push(piece));
    events.push(...reader.end());
    const ended = events.filter(({ type }) => type === "toolCallEnd").map(({ call }) => call);
    return {
      calls: ended.filter(({ error }) => error === undefined).map(callOf),
      text: joined(events.filter(({ type }) => type === "textDelta").map(({ text }) => text)),
      broken: ended.filter(({ error }) => error !== undefined).map(rawOf),
    };
  },
};

/** Calls the peer like its middleware. By default, its streams drop the text of broken calls; with this option they keep it. */
function peerOf(module) {
  const options = { emitRawToolCallTextOnError: true };
  const toolsOf = ({ tools = [] }) =>
    tools.map(({ name, description, parameters = { type: "object" } }) => ({
      type: "function",
      name,
      description,
      inputSchema: parameters,
    }));
  const read = (parts, type, key) => ({
    calls: parts
      .filter((part) => part.type === "tool-call")
      .map(({ toolName, input }) => ({ name: toolName, arguments: JSON.parse(input) })),
    text: joined(parts.filter((part) => part.type === type).map((part) => part[key])),
    broken: [],
  });
  return {
    whole(text, given) {
      const tools = toolsOf(given);
      return read(protocols[given.format](module).parseGeneratedText({ text, tools, options }), "text", "text");
    },
    async inPieces(pieces, given) {
      const parser = protocols[given.format](module).createStreamParser({ tools: toolsOf(given), options });
      return read(await throughStream(pieces, parser), "text-delta", "delta");
    },
  };
}

/** The output of a stream for pieces in the form of the AI SDK. */
export async function throughStream(pieces, transform) {
  const parts = [];
  for await (const part of ReadableStream.from(partsOf(pieces)).pipeThrough(transform)) parts.push(part);
  return parts;
}

function* partsOf(pieces) {
  yield { type: "text-start", id: "1" };
  for (const delta of pieces) yield { type: "text-delta", id: "1", delta };
  yield { type: "text-end", id: "1" };
  yield { type: "finish", finishReason: { unified: "stop" }, usage: {} };
}

export const peerName = "@ai-sdk-tool/parser";

/** The readers, starting with the package's. */
export async function sides() {
  return { toolwire, [peerName]: peerOf(await import("@ai-sdk-tool/parser")) };
}
