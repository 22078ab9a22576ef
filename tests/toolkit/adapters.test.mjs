// Tools of other libraries, with the real packages.

import assert from "node:assert/strict";
import { test } from "node:test";
import { betaTool } from "@anthropic-ai/sdk/helpers/beta/json-schema";
import { betaZodTool } from "@anthropic-ai/sdk/helpers/beta/zod";
import { ToolError as AnthropicToolError } from "@anthropic-ai/sdk/lib/tools/ToolError";
import { tool as langChainTool } from "@langchain/core/tools";
import { tool as openAITool } from "@openai/agents";
import { tool as aiTool, jsonSchema } from "ai";
import { z } from "zod";
import { callOf, errorOf, Toolkit, toolsFrom } from "./support/toolkit.mjs";

const city = z.object({ city: z.string(), days: z.int().default(3) });
const cityJson = {
  type: "object",
  properties: { city: { type: "string" }, days: { type: "integer" } },
  required: ["city"],
};
const forecast = ({ city, days }) => `${city}: ${days} sunny days`;
const image = "iVBORw0KGgo=";

const libraries = {
  "AI SDK, zod": { forecast: aiTool({ description: "Weather.", inputSchema: city, execute: forecast }) },
  "AI SDK, jsonSchema": {
    forecast: aiTool({
      description: "Weather.",
      inputSchema: jsonSchema(cityJson),
      execute: ({ city, days = 3 }) => forecast({ city, days }),
    }),
  },
  LangChain: [langChainTool(forecast, { name: "forecast", description: "Weather.", schema: city })],
  "OpenAI Agents": [openAITool({ name: "forecast", description: "Weather.", parameters: city, execute: forecast })],
  "Anthropic betaZodTool": [
    betaZodTool({ name: "forecast", description: "Weather.", inputSchema: city, run: forecast }),
  ],
  "Anthropic betaTool": [
    betaTool({
      name: "forecast",
      description: "Weather.",
      inputSchema: cityJson,
      run: ({ city, days = 3 }) => forecast({ city, days }),
    }),
  ],
};

for (const [library, tools] of Object.entries(libraries)) {
  const toolkit = new Toolkit(toolsFrom(tools));
  const run = async (args) => (await toolkit.run([callOf("forecast", args)]))[0];

  test(`${library}: the definition`, () => {
    const [{ name, description, parameters }] = toolkit.definitions();
    assert.deepEqual([name, description], ["forecast", "Weather."]);
    assert.equal(parameters.properties.city.type, "string");
  });

  test(`${library}: arguments are coerced, and the result comes back`, async () => {
    assert.equal((await run({ city: "Bern", days: "5" })).result.value, "Bern: 5 sunny days");
  });

  test(`${library}: missing arguments are problems`, async () => {
    const execution = await run({ days: 2 });
    assert.equal(errorOf(execution).error_type, "invalid_arguments");
    assert.ok(execution.error.problems.length > 0);
  });
}

test("one tool on its own, and objects of tools by name", () => {
  assert.deepEqual(
    toolsFrom(libraries.LangChain[0]).map(({ name }) => name),
    ["forecast"],
  );
  const set = { a: libraries["AI SDK, zod"].forecast, b: libraries["OpenAI Agents"][0] };
  assert.deepEqual(
    toolsFrom(set).map(({ name }) => name),
    ["a", "forecast"],
  );
});

test("other values, or tools without a name, are errors with their position", () => {
  const failure = (path) => ({ name: "ToolkitError", code: "invalid_options", path });
  assert.throws(() => toolsFrom([{}]), failure("/0"));
  assert.throws(() => toolsFrom({ a: 5 }), failure("/a"));
  assert.throws(() => toolsFrom("tool"), failure(""));
  assert.throws(() => toolsFrom([libraries["AI SDK, zod"].forecast]), failure("/0"));
});

test("AI SDK: validate of jsonSchema is called first, approval and progress work, toModelOutput is used", async () => {
  const seen = [];
  const tools = {
    draw: aiTool({
      inputSchema: jsonSchema(cityJson, {
        validate: (value) =>
          value.city === "Atlantis" ? { success: false, error: new Error("sunk") } : { success: true, value },
      }),
      needsApproval: ({ city }, { toolCallId }) => seen.push(toolCallId) > 0 && city === "Bern",
      async *execute({ city }, { toolCallId, abortSignal }) {
        assert.ok(abortSignal instanceof AbortSignal);
        yield { city, at: toolCallId };
        yield { city, at: "end" };
      },
      toModelOutput: ({ output }) => ({
        type: "content",
        value: [
          { type: "text", text: output.at },
          { type: "file", data: { type: "data", data: image }, mediaType: "image/png" },
        ],
      }),
    }),
  };
  const toolkit = new Toolkit(toolsFrom(tools));
  const calls = ["Bern", "Rome", "Atlantis"].map((city) => callOf("draw", { city }));
  const [bern, rome, atlantis] = await toolkit.run(calls);
  assert.equal(bern.status, "unapproved");
  assert.deepEqual(rome.result.value, [
    { type: "text", text: "end" },
    { type: "image", source: { type: "base64", data: image }, mediaType: "image/png" },
  ]);
  assert.match(errorOf(atlantis).error, /sunk/);
  assert.ok(seen.length >= 2);
});

test("LangChain: context, errors and blocks", async () => {
  const show = langChainTool(
    async ({ city }, config) => {
      if (city === "Atlantis") throw new RangeError("sunk");
      return [
        { type: "text", text: config.configurable.user },
        { type: "image_url", image_url: { url: `data:image/png;base64,${image}` } },
      ];
    },
    { name: "show", description: "Shows.", schema: z.object({ city: z.string() }) },
  );
  const toolkit = new Toolkit(toolsFrom([show]));
  const calls = ["Rome", "Atlantis"].map((city) => callOf("show", { city }));
  const [rome, atlantis] = await toolkit.run(calls, { context: { user: "ann" } });
  assert.deepEqual(rome.result.value, [
    { type: "text", text: "ann" },
    { type: "image", source: { type: "base64", data: image }, mediaType: "image/png" },
  ]);
  assert.deepEqual(errorOf(atlantis), { error: "sunk", error_type: "RangeError" });
});

test("OpenAI Agents: context, approval and structured outputs", async () => {
  const show = openAITool({
    name: "show",
    description: "Shows.",
    parameters: z.object({ city: z.string() }),
    needsApproval: async (_context, { city }) => city === "Bern",
    execute: async ({ city }, runContext) =>
      city === "Rome" ? { type: "image", image: { data: image, mediaType: "image/png" } } : runContext.context.user,
  });
  const toolkit = new Toolkit(toolsFrom([show]));
  const calls = ["Rome", "Oslo", "Bern"].map((city) => callOf("show", { city }));
  const [rome, oslo, bern] = await toolkit.run(calls, { context: { user: "ann" } });
  assert.deepEqual(rome.result.value, [
    { type: "image", source: { type: "base64", data: image }, mediaType: "image/png" },
  ]);
  assert.equal(oslo.result.value, "ann");
  assert.equal(bern.status, "unapproved");
});

test("OpenAI Agents: a tool that is not enabled does not run", async () => {
  let ran = 0;
  const show = openAITool({
    name: "show",
    description: "Shows.",
    parameters: z.object({}),
    isEnabled: async ({ runContext }) => runContext.context.admin,
    execute: async () => `ran ${++ran}`,
  });
  const toolkit = new Toolkit(toolsFrom([show]));
  const [off] = await toolkit.run([callOf("show")], { context: { admin: false } });
  assert.deepEqual([errorOf(off).error_type, ran], ["not_allowed", 0]);
  const [on] = await toolkit.run([callOf("show")], { context: { admin: true } });
  assert.equal(on.result.value, "ran 1");
});

test("Anthropic: blocks, and the content of its errors", async () => {
  const show = betaTool({
    name: "show",
    description: "Shows.",
    inputSchema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
    run: ({ city }, { toolUse }) => {
      if (city === "Atlantis") throw new AnthropicToolError([{ type: "text", text: "sunk" }]);
      return [
        { type: "text", text: toolUse.input.city },
        { type: "image", source: { type: "base64", media_type: "image/png", data: image } },
      ];
    },
  });
  const toolkit = new Toolkit(toolsFrom([show]));
  const [rome, atlantis] = await toolkit.run(["Rome", "Atlantis"].map((city) => callOf("show", { city })));
  assert.deepEqual(rome.result.value, [
    { type: "text", text: "Rome" },
    { type: "image", source: { type: "base64", data: image }, mediaType: "image/png" },
  ]);
  assert.equal(errorOf(atlantis).error, "sunk");
});
