// 1 MB of a model's text; calls that write files make up half of it.

export const tools = [
  {
    name: "write_file",
    parameters: {
      type: "object",
      properties: { path: { type: "string" }, content: { type: "string" }, mode: { type: "integer" } },
      required: ["path", "content"],
    },
  },
];

const half = 500_000;
const line = (index) => `${index}: pub fn part(input: &str) -> Result<"Value", Error> {\n`;
const sentence = "I look at the next part of the file before I change anything in it. ";
const upTo = (length, text) => text.repeat(Math.ceil(length / text.length));

const writers = {
  hermes_json: ({ name, arguments: values }) =>
    `<tool_call>\n${JSON.stringify({ name, arguments: values })}\n</tool_call>`,
  qwen3_xml: ({ name, arguments: values }) => {
    const parameters = Object.entries(values).map(([key, value]) => `<parameter=${key}>\n${value}\n</parameter>`);
    return ["<tool_call>", `<function=${name}>`, ...parameters, "</function>", "</tool_call>"].join("\n");
  },
};

/** Text with this many calls. Its length does not depend on their number. */
export function textOfCalls(format, count) {
  const length = half / count;
  const parts = Array.from({ length: count }, (_, index) => {
    const values = { path: `src/part_${index}.rs`, content: upTo(length, line(index)).trimEnd(), mode: 420 };
    return `${upTo(length, sentence)}\n${writers[format]({ name: "write_file", arguments: values })}\n`;
  });
  // one flat string, like a decoded response
  return Buffer.from(parts.join("")).toString();
}

export const formats = Object.keys(writers);
