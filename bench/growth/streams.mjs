// Generated streams of growing size (OpenAI Chat). `size` is the number of events or pieces.

const head = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1763000000, model: "m" };
const encoder = new TextEncoder();

const chunk = (delta, finish_reason = null) => ({
  ...head,
  choices: [{ index: 0, delta, logprobs: null, finish_reason }],
});
const text = (content) => chunk({ content });
const begin = (index) =>
  chunk({
    tool_calls: [{ index, id: `call_${index}`, type: "function", function: { name: "get_weather", arguments: "" } }],
  });
const fragment = (index, piece) => chunk({ tool_calls: [{ index, function: { arguments: piece } }] });
const list = (size, make) => Array.from({ length: size }, (_, index) => make(index));

/** Each event as bytes. */
function stream(events, reason = "stop") {
  const all = [chunk({ role: "assistant", content: "" }), ...events, chunk({}, reason)];
  return [...all.map((event) => `data: ${JSON.stringify(event)}\n\n`), "data: [DONE]\n\n"].map((event) =>
    encoder.encode(event),
  );
}

/** One event in pieces of 100 bytes. */
function inPieces(size) {
  const bytes = Buffer.concat(stream([text("word ".repeat(size * 20))]));
  return list(Math.ceil(bytes.length / 100), (index) => new Uint8Array(bytes.subarray(index * 100, (index + 1) * 100)));
}

const sizes = [10, 100, 1000, 10_000];

/** Streams for all pairs are first converted from OpenAI to a stream of the source. */
export const streams = {
  "events: text": { sizes, isEverywhere: true, make: (size) => stream(list(size, () => text(" word"))) },
  "events: arguments of one call": {
    isFromAll: true,
    sizes,
    make: (size) =>
      stream(
        [begin(0), fragment(0, '{"text":"'), ...list(size, () => fragment(0, "abcd ")), fragment(0, '"}')],
        "tool_calls",
      ),
  },
  "calls one after another": {
    isFromAll: true,
    sizes,
    make: (size) =>
      stream(list(size, (index) => [begin(index), fragment(index, '{"city":"Paris"}')]).flat(), "tool_calls"),
  },
  "calls at the same time": {
    sizes,
    make: (size) =>
      stream(
        [
          ...list(size, begin),
          ...list(size, (index) => fragment(index, '{"city":')),
          ...list(size, (index) => fragment(index, '"Paris"}')),
        ],
        "tool_calls",
      ),
  },
  "pieces of one event": { sizes, make: inPieces },
};
