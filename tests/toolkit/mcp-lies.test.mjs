// A server of MCP that lies: the table is in `support/lies.mjs`.

import assert from "node:assert/strict";
import { test } from "node:test";
import { fields, lists, rejections, results, schemas } from "./support/lies.mjs";
import { callOf, mcpTools, Toolkit } from "./support/toolkit.mjs";

const free = () => ({ needsApproval: false, dangerous: false });

/** A client whose server has these tools and results. */
function clientOf(tools, results = {}) {
  return {
    listTools: async () => ({ tools: tools.map((tool) => ({ inputSchema: { type: "object" }, ...tool })) }),
    callTool: async ({ name }) => results[name](),
  };
}

/** The tools that are read, and the warnings. */
async function read(client, options = {}) {
  const warnings = [];
  const tools = await mcpTools(client, { ...options, onWarning: (warning) => warnings.push(warning) });
  return { tools, warnings };
}

test("there are 70 lies or more", () => {
  const all = [...schemas, ...fields, ...lists, ...results, ...rejections];
  assert.ok(new Set(all.map(({ lie }) => lie)).size >= 70);
});

for (const { lie, inputSchema, parameters } of schemas) {
  test(`schema: ${lie}`, async () => {
    const good = { name: "good" };
    const { tools, warnings } = await read(clientOf([{ name: "odd", inputSchema }, good]), { policy: free });
    const toolkit = new Toolkit(tools);
    assert.deepEqual(toolkit.get("odd")?.parameters, parameters);
    assert.deepEqual(
      warnings.map(({ tool }) => tool),
      parameters ? [] : ["odd"],
    );
    assert.ok(toolkit.get("good"));
  });
}

for (const { lie, tool, trust = false, has, warns = false } of fields) {
  test(`field: ${lie}`, async () => {
    const { tools, warnings } = await read(clientOf([{ name: "odd", ...tool }]), { trust });
    for (const [name, value] of Object.entries(has)) assert.deepEqual(tools[0][name], value, name);
    assert.equal(warnings.length > 0, warns);
    new Toolkit(tools);
  });
}

for (const { lie, pages, names, distinct, warns = false } of lists) {
  test(`list: ${lie}`, async () => {
    let page = 0;
    const { tools, warnings } = await read({ listTools: async () => pages[page++], callTool: async () => {} });
    const toolkit = new Toolkit(tools);
    if (names) assert.deepEqual(toolkit.names({ excludeDangerous: false }), names);
    else assert.equal(toolkit.names({ excludeDangerous: false }).length, distinct);
    assert.equal(warnings.length > 0, warns);
  });
}

async function ran(result, outputSchema) {
  const client = clientOf([{ name: "a", ...(outputSchema && { outputSchema }) }], { a: result });
  const { tools } = await read(client, { policy: free });
  return (await new Toolkit(tools).run([callOf("a")]))[0];
}

for (const { lie, result, outputSchema, status = "done", sees, is } of results) {
  test(`result: ${lie}`, async () => {
    const execution = await ran(() => result, outputSchema);
    assert.equal(execution.status, status, JSON.stringify(execution));
    if (sees === undefined) assert.deepEqual(execution.result.value, is);
    else assert.ok(JSON.stringify(execution.result.value).includes(sees), JSON.stringify(execution.result));
  });
}

for (const { lie, error, sees } of rejections) {
  test(`rejection: ${lie}`, async () => {
    const execution = await ran(() => Promise.reject(error));
    assert.equal(execution.status, "failed");
    assert.match(execution.result.value.error, new RegExp(sees));
  });
}

test("a call goes to the tool that the server named", async () => {
  const called = [];
  const client = clientOf([{ name: "获取天气" }, { name: "搜索网页" }]);
  client.callTool = async ({ name }) => {
    called.push(name);
    return { content: [] };
  };
  const { tools } = await read(client, { policy: free });
  await new Toolkit(tools).run(tools.map(({ name }) => callOf(name)));
  assert.deepEqual(called.sort(), ["搜索网页", "获取天气"].sort());
  const again = await read(clientOf([{ name: "搜索网页" }]));
  assert.equal(again.tools[0].name, tools[1].name);
});

test("a list that does not end is an error that names the option", async () => {
  const client = { listTools: () => new Promise(() => {}), callTool: async () => {} };
  const message = "the MCP server did not list its tools within 30 ms. The option listTimeoutMs raises the limit";
  await assert.rejects(mcpTools(client, { listTimeoutMs: 30 }), { code: "invalid_options", message });
});

test("progress that is not read in time does not accumulate", async () => {
  const { tools } = await read(
    {
      listTools: async () => ({ tools: [{ name: "a", inputSchema: { type: "object" } }] }),
      callTool: async (_params, _schema, { onprogress }) => {
        for (let progress = 0; progress < 100_000; progress++) onprogress({ progress });
        return { content: [] };
      },
    },
    { policy: free },
  );
  let seen = 0;
  for await (const event of new Toolkit(tools).stream([callOf("a")])) if (event.type === "toolProgress") seen++;
  assert.ok(seen >= 1 && seen < 10, `${seen}`);
});
