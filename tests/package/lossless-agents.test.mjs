// With `lossy: "error"`, conversations of coding agents go to every target, except for a table of fields. The bodies have the form of what Claude
// Code 2.1 and Codex 0.169 send.

import assert from "node:assert/strict";
import { test } from "node:test";
import { convertRequest } from "../../pkg/dist/index.js";
import { IMAGE } from "./support/gateway/scenarios.mjs";

/** What targets lose, by path, and why. At most ten. */
const LOST = {
  "/tools/2": "a search that OpenAI runs: other providers do not have that tool",
  "/text/verbosity": "only OpenAI's models have it",
};
const models = {
  openai: "gpt-5.2",
  "openai-responses": "gpt-5.2",
  anthropic: "claude-opus-5",
  gemini: "gemini-3-pro",
  vertexai: "gemini-3-pro",
  ollama: "qwen3",
};
const mark = { type: "ephemeral" };
const schema = (properties, ...required) => ({ type: "object", properties, required, additionalProperties: false });

const claudeCode = {
  model: "claude-opus-5",
  max_tokens: 32000,
  stream: true,
  metadata: { user_id: `user_${"a".repeat(64)}_account__session_11111111-2222-3333-4444-555555555555` },
  system: [
    { type: "text", text: "You are an agent.", cache_control: mark },
    { type: "text", text: "Be brief.", cache_control: mark },
  ],
  thinking: { type: "adaptive", display: "summarized" },
  output_config: { effort: "high" },
  context_management: { edits: [{ type: "clear_thinking_20251015", keep: "all" }] },
  tools: [
    {
      name: "Bash",
      description: "Runs a command",
      input_schema: {
        $schema: "https://json-schema.org/draft/2020-12/schema",
        ...schema({ command: { type: "string", description: "A command" }, timeout: { type: "number" } }, "command"),
      },
    },
    {
      name: "Read",
      description: "Reads a file",
      input_schema: schema(
        { file_path: { type: "string" }, limit: { type: "integer", exclusiveMinimum: 0 } },
        "file_path",
      ),
      cache_control: mark,
    },
  ],
  messages: [
    {
      role: "user",
      content: [
        { type: "text", text: "<system-reminder>The context.</system-reminder>" },
        { type: "text", text: "Fix it.", cache_control: mark },
      ],
    },
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "I look.", signature: "c2ln" },
        { type: "text", text: "Looking." },
        { type: "tool_use", id: "toolu_1", name: "Bash", input: { command: "ls" } },
        { type: "tool_use", id: "toolu_2", name: "Read", input: { file_path: "a.png" } },
      ],
    },
    {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "toolu_1", content: "no such file", is_error: true },
        {
          type: "tool_result",
          tool_use_id: "toolu_2",
          content: [{ type: "image", source: { type: "base64", media_type: "image/png", data: IMAGE } }],
          cache_control: mark,
        },
      ],
    },
  ],
};

const codex = {
  model: "gpt-5.2",
  instructions: "You are an agent.",
  stream: true,
  store: false,
  include: ["reasoning.encrypted_content"],
  prompt_cache_key: "key",
  parallel_tool_calls: true,
  tool_choice: "auto",
  reasoning: { effort: "high", summary: "auto" },
  text: { verbosity: "low" },
  client_metadata: { session: "s" },
  tools: [
    {
      type: "function",
      name: "exec_command",
      description: "Runs a command",
      strict: false,
      parameters: schema({ cmd: { type: "string" }, yield_time_ms: { type: "number" } }, "cmd"),
    },
    {
      type: "custom",
      name: "apply_patch",
      description: "Edits files",
      format: { type: "grammar", syntax: "lark", definition: 'start: "x"' },
    },
    { type: "web_search", external_web_access: false },
  ],
  input: [
    { type: "message", role: "developer", content: [{ type: "input_text", text: "Permissions." }] },
    {
      type: "message",
      role: "user",
      content: [
        { type: "input_text", text: "Fix it." },
        { type: "input_image", image_url: `data:image/png;base64,${IMAGE}` },
      ],
    },
    { type: "reasoning", summary: [{ type: "summary_text", text: "I look." }], encrypted_content: "gAAAA" },
    { type: "message", role: "assistant", content: [{ type: "output_text", text: "Looking." }], phase: "commentary" },
    { type: "function_call", name: "exec_command", arguments: '{"cmd":"ls"}', call_id: "call_1" },
    { type: "function_call_output", call_id: "call_1", output: "a.txt" },
    { type: "custom_tool_call", name: "apply_patch", input: "x", call_id: "call_2", status: "completed" },
    { type: "custom_tool_call_output", call_id: "call_2", output: "Done" },
  ],
};

/** The conversation without the fields of the table. */
function withoutLost({ tools, ...body }) {
  const { text: _, ...rest } = body;
  return { ...rest, tools: tools.filter(({ type }) => type !== "web_search") };
}

for (const [agent, from, body] of [
  ["Claude Code", "anthropic", claudeCode],
  ["Codex", "openai-responses", codex],
])
  for (const [to, model] of Object.entries(models)) {
    test(`${agent} to ${to}, where losses are errors`, () => {
      convertRequest(withoutLost(body), { from, to, model, lossy: "error" });
      const lost = [];
      const onWarning = ({ lossy, path }) => lossy && lost.push(path);
      convertRequest(body, { from, to, model, onWarning });
      assert.deepEqual(
        lost.filter((path) => !Object.hasOwn(LOST, path)),
        [],
      );
      if (agent === "Codex" && to === "anthropic") assert.deepEqual(lost.sort(), Object.keys(LOST).sort());
    });
  }

test("the table has at most ten fields", () => assert.ok(Object.keys(LOST).length <= 10));
