// The conversation of an agent: by default 200 messages and 50 tools in 160 kB, and a response with many calls.

const subjects = ["file", "branch", "issue", "test", "release", "package", "server", "user", "log", "table"];
const verbs = ["read", "write", "search", "list", "delete"];

function tool(index) {
  const subject = subjects[index % subjects.length];
  const name = `${verbs[Math.floor(index / subjects.length)]}_${subject}`;
  return {
    type: "function",
    function: {
      name,
      description: `Works on one ${subject}, or on several of them at once. Give the path where there is one, and keep the limit low: long answers are cut off at the end.`,
      parameters: {
        type: "object",
        properties: {
          path: { type: "string", description: `Path of the ${subject}, relative to the root of the project` },
          pattern: { type: "string", description: "Regular expression that the content must match" },
          limit: { type: "integer", minimum: 1, maximum: 1000, default: 100, description: "Most results to give" },
          recursive: { type: "boolean", description: "Whether to go into what is below" },
          fields: { type: "array", items: { type: "string", enum: ["name", "size", "owner", "changed"] } },
          range: {
            type: "object",
            properties: { from: { type: "integer" }, to: { type: "integer" } },
            required: ["from", "to"],
          },
        },
        required: ["path"],
        additionalProperties: false,
      },
    },
  };
}

const tools = Array.from({ length: 50 }, (_, index) => tool(index));

function argumentsOf(index) {
  return {
    path: `src/module_${index % 17}/part_${index}.rs`,
    pattern: `fn \\w+_${index}\\("[a-z]+"`,
    limit: 100 + index,
    recursive: index % 2 === 0,
    fields: ["name", "size"],
    range: { from: index * 10, to: index * 10 + 40 },
  };
}

const outputOf = (index) =>
  Array.from(
    { length: 10 },
    (_, line) => `${index * 10 + line}: pub fn part_${index}(input: &str) -> Result<"Value", Error> {`,
  ).join("\n");

/** Rounds of one or two calls with their results, and sometimes a message of the user. */
export function agentRequest({ length = 200, toolCount = 50 } = {}) {
  const messages = [
    {
      role: "system",
      content: "You are an agent that works on a software project with the tools it is given. ".repeat(20),
    },
    { role: "user", content: "Please find out why the nightly build fails, and repair it. Tell me what you change." },
  ];
  for (let round = 0; messages.length < length - 1; round++) {
    const ids = round % 3 === 0 ? [`call_${round}a`, `call_${round}b`] : [`call_${round}a`];
    messages.push({
      role: "assistant",
      content: round % 2 === 0 ? `Step ${round}: I look at the next part before I change anything.` : null,
      tool_calls: ids.map((id, index) => ({
        id,
        type: "function",
        function: {
          name: tools[(round + index) % tools.length].function.name,
          arguments: JSON.stringify(argumentsOf(round + index)),
        },
      })),
    });
    for (const [index, id] of ids.entries()) {
      messages.push({ role: "tool", tool_call_id: id, content: outputOf(round + index) });
    }
    if (round % 10 === 9)
      messages.push({ role: "user", content: `Go on, but leave module ${round} as it is, please.` });
  }
  return {
    model: "model-1",
    messages,
    tools: tools.slice(0, toolCount),
    tool_choice: "auto",
    parallel_tool_calls: true,
    max_completion_tokens: 8192,
  };
}

/** A response of the same agent: text and forty calls. */
export function agentResponse() {
  const content = [{ type: "text", text: `I change these files one by one. ${outputOf(1)}` }];
  for (let index = 0; index < 40; index++) {
    const input = { ...argumentsOf(index), content: `${outputOf(index)}\n${outputOf(index + 1)}` };
    content.push({ type: "tool_use", id: `toolu_${index}`, name: tools[index].function.name, input });
  }
  return {
    id: "msg_01AbCdEfGhIjKlMnOpQrStUv",
    type: "message",
    role: "assistant",
    model: "model-1",
    content,
    stop_reason: "tool_use",
    stop_sequence: null,
    usage: {
      input_tokens: 41200,
      cache_creation_input_tokens: 512,
      cache_read_input_tokens: 38000,
      output_tokens: 9100,
    },
  };
}
