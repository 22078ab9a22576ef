// Generates docs/text-formats.md from the table of text formats and from the package's output in each of them.

const tool = {
  name: "get_weather",
  description: "Returns the current weather of a city.",
  parameters: {
    type: "object",
    properties: { city: { type: "string" }, days: { type: "integer" } },
    required: ["city"],
  },
};
const callWith = (args, id = "call_1") => ({ id, name: tool.name, arguments: args });
const messageWith = (args, ...more) => ({ role: "assistant", toolCalls: [callWith(args), ...more] });
const example = messageWith({ city: "Paris", days: 3 });
const result = { toolCallId: "call_1", name: tool.name, kind: "data", value: { temperature: 18 } };

/** Probes for each format, with the message that each writes. */
const probes = {
  "several calls": messageWith({ city: "Paris" }, callWith({ city: "Oslo" }, "call_2")),
  "text beside calls": { ...example, content: "One moment." },
  "nested values": messageWith({ city: { name: "Paris", near: ["Lyon", { name: "Lille" }] } }),
  "null values": messageWith({ city: null }),
  "empty objects and arrays": messageWith({ city: {}, days: [] }),
  "line breaks at the ends of text": messageWith({ city: "\nParis\n" }),
  "keys with spaces": messageWith({ "the city": "Paris" }),
};

const intro = `# Text formats

Models without a tool calling API write calls as text. \`toolwire/text\` reads and writes these forms. \`npm run docs:text\` makes this page
from the table of formats, so everything below is what the package writes. Reading accepts more than writing produces.

\`parseToolText\` reads a whole text, \`readToolText\` a stream of pieces, with the same result. The markers of many formats are special tokens,
so the text must have these (\`skip_special_tokens: false\`). A token at its end that ends the turn, such as \`<|im_end|>\`, is dropped.
\`toolPrompt\`, \`callsAsText\` and \`resultsAsText\` write the texts of a request:

\`\`\`ts
import { callsAsText, parseToolText, resultsAsText, textFormatOf, toolPrompt } from "toolwire/text";

const tools = [{ name: "get_weather", parameters: { type: "object", properties: { city: { type: "string" } } } }];
const format = textFormatOf("Hermes-3-Llama-3.1-8B") ?? "json";
const prompt = toolPrompt(tools, { format });
const read = parseToolText('<tool_call>{"name": "get_weather", "arguments": {"city": "Paris"}}</tool_call>', { format, tools });
const history = [
  callsAsText({ role: "assistant", content: [], toolCalls: read.toolCalls }, format),
  resultsAsText(read.toolCalls.map(({ id, name }) => ({ toolCallId: id, name, kind: "text" as const, value: "18 °C" })), format),
];
console.log(history);
\`\`\`

Some tokenizer configurations of Hugging Face state how responses are read: \`response_template\`, or \`response_schema\` before. \`textFormatOf\`
returns the listed format with the same markers. If there is none, the template itself is the format, as JSON, wherever an id is expected. That
requires calls that are JSON or lists of calls in Python between fixed markers; for others the format is undefined.

\`\`\`ts
import { parseToolText, textFormatOf } from "toolwire/text";

const fields = {
  thinking: { open: "<think>", close: "</think>", content: "text" },
  tool_calls: { open: "<act>", close: "</act>", repeats: true, content: "json" },
};
const format = textFormatOf({ responseTemplate: { start_anchor: "<|assistant|>", fields } });
if (format) console.log(parseToolText('<act>{"name": "get_weather", "arguments": {"city": "Paris"}}</act>', { format }).toolCalls);
\`\`\`

For each format: the names of models that were trained on it, a call, a result, and what the format can't express. \`writeCalls\` and
\`writeResults\` return such losses as warnings. *Streams* means that arguments are emitted while they arrive. *Ids* means that the
text contains call ids; otherwise results are matched by order and name.
`;

const fenced = (text) => {
  const ticks = "`".repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)));
  return `${ticks}text\n${text.replace(/\n+$/, "")}\n${ticks}`;
};

/** `write` returns text and warnings; a format that can't be written throws. */
const attempt = (write) => {
  try {
    return write();
  } catch {
    return undefined;
  }
};

/** One line per probe: what the format can't express, apart from warnings about every call. */
function lossesOf(text, id) {
  const warningsOf = (message) => text.writeCalls(message, id).warnings.map(({ message }) => message);
  const always = warningsOf(example);
  const lines = always.length > 0 ? [`- ids of another form: ${always[0]}`] : [];
  for (const [name, message] of Object.entries(probes)) {
    const [loss] = warningsOf(message).filter(
      (warning) => !always.includes(warning) && !warning.startsWith("the id is"),
    );
    if (loss !== undefined) lines.push(`- ${name}: ${loss}`);
  }
  return lines;
}

function section(text, { id, models, streams, ids }) {
  const facts = [`Streams: ${streams ? "yes" : "no"}.`, `Ids: ${ids ? "yes" : "no"}.`];
  if (models.length > 0) facts.unshift(`Models: ${models.map((model) => `\`${model}\``).join(", ")}.`);
  const parts = [`## ${id}`, facts.join(" ")];
  const call = attempt(() => text.writeCalls(example, id));
  if (!call) return [...parts, "Calls can't be written in this format."].join("\n\n");
  parts.push("A call:", fenced(call.text), "Its result:", fenced(text.writeResults([result], id).text));
  const losses = lossesOf(text, id);
  if (losses.length > 0) parts.push("Not expressible:", losses.join("\n"));
  return parts.join("\n\n");
}

/** The page, given the exports of `toolwire/text`. */
export function page(text) {
  return `${[intro.trimEnd(), ...text.TEXT_FORMATS.map((format) => section(text, format))].join("\n\n")}\n`;
}
