// A call of `get_weather` with a city and a number of days, as models of different families write it.

const called = '"name": "get_weather"';
const args = '{"city": "Zürich", "days": 3}';

export const tool = {
  name: "get_weather",
  description: "The weather of a city.",
  parameters: {
    type: "object",
    properties: { city: { type: "string" }, days: { type: "integer" } },
    required: ["city"],
  },
};
export const expected = { city: "Zürich", days: 3 };

/**
 * By format: the name of a model of that format, text with a call, the part of it outside of the call, and the start of calls in the
 * history.
 */
export const families = {
  hermes_json: {
    model: "Hermes-3-Llama-3.1-8B",
    output: `Let me look.\n<tool_call>\n{${called}, "arguments": ${args}}\n</tool_call>`,
    text: "Let me look.",
  },
  qwen3_xml: {
    model: "Qwen3-Coder-30B",
    output:
      "<tool_call>\n<function=get_weather>\n<parameter=city>\nZürich\n</parameter>\n<parameter=days>\n3\n</parameter>\n</function>\n</tool_call>",
  },
  harmony: {
    model: "gpt-oss-20b",
    output: `<|channel|>analysis<|message|>I need the weather.<|end|><|start|>assistant<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>${args}<|call|>`,
    reasoning: "I need the weather.",
  },
  llama3_json: {
    model: "Llama-3.1-8B-Instruct",
    output: `<|python_tag|>{${called}, "parameters": ${args}}`,
    mark: '"parameters"',
  },
  mistral_json: { model: "Mistral-7B-Instruct", output: `[TOOL_CALLS][{${called}, "arguments": ${args}}]` },
  mistral_args: { model: "Devstral-Small", output: `[TOOL_CALLS]get_weather[ARGS]${args}` },
  deepseek_v3: {
    model: "DeepSeek-V3",
    output: `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather\n\`\`\`json\n${args}\n\`\`\`<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
  },
  deepseek_v31: {
    model: "DeepSeek-V3.1",
    output: `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>${args}<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
  },
  kimi_k2: {
    model: "Kimi-K2-Instruct",
    output: `Let me look.<|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>${args}<|tool_call_end|><|tool_calls_section_end|>`,
    text: "Let me look.",
  },
};

/** Pieces as a server streams them. */
export function piecesOf(text, size) {
  const letters = [...text];
  const count = Math.ceil(letters.length / size);
  return Array.from({ length: count }, (_, index) => letters.slice(index * size, (index + 1) * size).join(""));
}
