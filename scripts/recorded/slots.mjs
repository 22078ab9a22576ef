// Finds the parts of a wire body that the edits change, in reading order, as arrays of keys.
// Does not use the package, so that the package can be checked against it.

/** `{ definitions, texts, calls, results }` of a request body. */
export function slotsOf(dialect, body) {
  const slots = { definitions: [], texts: [], calls: [], results: [] };
  collectors[dialect](body, slots);
  return slots;
}

const collectors = {
  openai(body, slots) {
    each(body.tools, ["tools"], (tool, path) => {
      if (tool.type === "function") {
        slots.definitions.push({ name: [...path, "function", "name"], schema: [...path, "function", "parameters"] });
      }
    });
    each(body.messages, ["messages"], (message, path) => {
      const content = [...path, "content"];
      if (message.role === "tool") {
        slots.results.push({ id: [...path, "tool_call_id"], content, value: message.content });
      } else {
        textOf(message.content, content, slots);
      }
      each(message.tool_calls, [...path, "tool_calls"], (call, callPath) => {
        const args = [...callPath, "function", "arguments"];
        slots.calls.push({ id: [...callPath, "id"], value: call.id, args, asText: true });
      });
    });
  },

  mistral: (body, slots) => collectors.openai(body, slots),
  cohere: (body, slots) => collectors.openai(body, slots),

  "gemini-interactions"(body, slots) {
    each(body.tools, ["tools"], (tool, path) => {
      if (tool.type === "function") {
        slots.definitions.push({ name: [...path, "name"], schema: [...path, "parameters"] });
      }
    });
    textOf(body.system_instruction, ["system_instruction"], slots);
    each(body.input, ["input"], (step, path) => {
      if (step.type === "function_call") {
        slots.calls.push({ id: [...path, "id"], value: step.id, args: [...path, "arguments"] });
      } else if (step.type === "function_result") {
        slots.results.push({ id: [...path, "call_id"], content: [...path, "result"], value: step.result });
      } else {
        textOf(step.content, [...path, "content"], slots);
      }
    });
  },

  "openai-responses"(body, slots) {
    each(body.tools, ["tools"], (tool, path) => {
      if (tool.type === "function") {
        slots.definitions.push({ name: [...path, "name"], schema: [...path, "parameters"] });
      }
    });
    textOf(body.instructions, ["instructions"], slots);
    if (typeof body.input === "string") {
      textOf(body.input, ["input"], slots);
      return;
    }
    each(body.input, ["input"], (item, path) => {
      if (item.type === "function_call") {
        const args = [...path, "arguments"];
        slots.calls.push({ id: [...path, "call_id"], value: item.call_id, args, asText: true });
      } else if (item.type === "function_call_output") {
        slots.results.push({ id: [...path, "call_id"], content: [...path, "output"], value: item.output });
      } else if (item.role) {
        textOf(item.content, [...path, "content"], slots);
      }
    });
  },

  anthropic(body, slots) {
    each(body.tools, ["tools"], (tool, path) => {
      if (tool.input_schema) slots.definitions.push({ name: [...path, "name"], schema: [...path, "input_schema"] });
    });
    textOf(body.system, ["system"], slots);
    each(body.messages, ["messages"], (message, path) => {
      textOf(message.content, [...path, "content"], slots);
      if (typeof message.content === "string") return;
      each(message.content, [...path, "content"], (block, blockPath) => {
        const content = [...blockPath, "content"];
        if (block.type === "tool_use") {
          slots.calls.push({ id: [...blockPath, "id"], value: block.id, args: [...blockPath, "input"] });
        } else if (block.type === "tool_result") {
          slots.results.push({ id: [...blockPath, "tool_use_id"], content, value: block.content });
        }
      });
    });
  },

  bedrock(body, slots) {
    each(body.toolConfig?.tools, ["toolConfig", "tools"], (tool, path) => {
      if (!tool.toolSpec) return;
      const spec = [...path, "toolSpec"];
      slots.definitions.push({ name: [...spec, "name"], schema: [...spec, "inputSchema", "json"] });
    });
    textOf(body.system, ["system"], slots);
    each(body.messages, ["messages"], (message, path) => {
      textOf(message.content, [...path, "content"], slots);
      each(message.content, [...path, "content"], (block, blockPath) => {
        const { toolUse, toolResult } = block;
        if (toolUse) {
          const call = [...blockPath, "toolUse"];
          slots.calls.push({ id: [...call, "toolUseId"], value: toolUse.toolUseId, args: [...call, "input"] });
        }
        if (toolResult) {
          const result = [...blockPath, "toolResult"];
          const content = [...result, "content"];
          slots.results.push({ id: [...result, "toolUseId"], content, value: toolResult.content });
        }
      });
    });
  },

  gemini(body, slots) {
    each(body.tools, ["tools"], (tool, path) => {
      each(tool.functionDeclarations, [...path, "functionDeclarations"], (declaration, place) => {
        const key = declaration.parameters ? "parameters" : "parametersJsonSchema";
        slots.definitions.push({ name: [...place, "name"], schema: [...place, key], upperCase: key === "parameters" });
      });
    });
    textOf(body.systemInstruction?.parts, ["systemInstruction", "parts"], slots);
    each(body.contents, ["contents"], (content, path) => {
      textOf(content.parts, [...path, "parts"], slots);
      each(content.parts, [...path, "parts"], (part, partPath) => {
        const inside = (kind, key) => [...partPath, kind, key];
        if (part.functionCall) {
          const id = inside("functionCall", "id");
          slots.calls.push({ id, value: part.functionCall.id, args: inside("functionCall", "args") });
        } else if (part.functionResponse) {
          const id = inside("functionResponse", "id");
          const response = inside("functionResponse", "response");
          slots.results.push({
            id,
            hasId: "id" in part.functionResponse,
            content: response,
            value: part.functionResponse.response,
          });
        }
      });
    });
  },

  ollama(body, slots) {
    each(body.tools, ["tools"], (_tool, path) => {
      slots.definitions.push({ name: [...path, "function", "name"], schema: [...path, "function", "parameters"] });
    });
    each(body.messages, ["messages"], (message, path) => {
      const content = [...path, "content"];
      if (message.role === "tool") {
        const id = [...path, "tool_call_id"];
        slots.results.push({ id, hasId: "tool_call_id" in message, content, value: message.content });
      } else {
        textOf(message.content, content, slots);
      }
      each(message.tool_calls, [...path, "tool_calls"], (call, callPath) => {
        slots.calls.push({ id: [...callPath, "id"], value: call.id, args: [...callPath, "function", "arguments"] });
      });
    });
  },
};

function each(list, path, visit) {
  for (const [index, item] of (list ?? []).entries()) visit(item, [...path, index]);
}

/**
 * The texts of content that is a string or a list of blocks. Reasoning does not count. Empty strings do not count either, because
 * they can mean that there is no content.
 */
function textOf(content, path, slots) {
  if (typeof content === "string") {
    if (content !== "") slots.texts.push(path);
    return;
  }
  each(content ?? [], path, (block, blockPath) => {
    if (
      typeof block.text === "string" &&
      block.text !== "" &&
      /^(input_|output_)?text$/.test(block.type ?? "text") &&
      !block.thought
    ) {
      slots.texts.push([...blockPath, "text"]);
    }
  });
}

export function getAt(value, path) {
  return path.reduce((inner, key) => inner?.[key], value);
}

export function setAt(value, path, replacement) {
  getAt(value, path.slice(0, -1))[path.at(-1)] = replacement;
}
