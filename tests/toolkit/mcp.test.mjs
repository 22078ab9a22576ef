// Tools of MCP servers: the official clients, against the reference servers and a server of the test's own.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { clients, overHttp, overStdio } from "./support/mcp.mjs";
import { callOf, errorOf, mcpTools, Toolkit } from "./support/toolkit.mjs";

const approve = () => true;
const folder = mkdtempSync(join(tmpdir(), "toolwire-mcp-"));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Runs one call of server-everything for each kind of result. */
async function checkEverything(client) {
  const toolkit = new Toolkit(await mcpTools(client, { prefix: "every_", trust: true }));
  const calls = [
    callOf("every_echo", { message: "hi" }),
    callOf("every_get-sum", { a: "2", b: 3 }),
    callOf("every_get-structured-content", { location: "chicago" }),
    callOf("every_get-tiny-image"),
    callOf("every_get-resource-reference", { resourceType: "Blob" }),
    callOf("every_get-resource-links", { count: 2 }),
    callOf("every_get-sum", { a: "two" }),
  ];
  const [echo, sum, structured, image, resource, links, invalid] = await toolkit.run(calls, { approve });
  assert.equal(echo.result.value, "Echo: hi");
  assert.match(sum.result.value, /5/);
  assert.equal(structured.result.kind, "data");
  assert.equal(typeof structured.result.value.temperature, "number");
  const types = ({ result }) => result.value.map(({ type }) => type);
  assert.ok(types(image).includes("image"));
  assert.equal(image.result.value.find(({ type }) => type === "image").mediaType, "image/png");
  assert.ok(types(resource).includes("document"));
  assert.equal(types(links).filter((type) => type === "document").length, 2);
  assert.equal(errorOf(invalid).error_type, "invalid_arguments");
}

for (const [version, sdk] of Object.entries(clients)) {
  describe(version, () => {
    test("server-everything over stdio", async () => {
      const client = await overStdio(sdk, "server-everything", ["stdio"]);
      try {
        await checkEverything(client);
      } finally {
        await client.close();
      }
    });

    test("server-everything over streamable HTTP", async () => {
      const { client, stop } = await overHttp(sdk);
      try {
        await checkEverything(client);
      } finally {
        await stop();
      }
    });

    test("server-filesystem: isError of the server becomes a failure", async () => {
      writeFileSync(join(folder, "a.txt"), "content");
      const client = await overStdio(sdk, "server-filesystem", [folder]);
      try {
        const toolkit = new Toolkit(await mcpTools(client));
        const calls = ["a.txt", "b.txt"].map((name) => callOf("read_text_file", { path: join(folder, name) }));
        const [found, missing] = await toolkit.run(calls, { approve });
        assert.deepEqual(found.result.value, { content: "content" });
        assert.equal(errorOf(missing).error_type, "tool_error");
        assert.match(errorOf(missing).error, /ENOENT/);
      } finally {
        await client.close();
      }
    });

    test("server-memory: structured content of objects, over several calls", async () => {
      const env = { MEMORY_FILE_PATH: join(folder, `${version}.jsonl`) };
      const client = await overStdio(sdk, "server-memory", [], env);
      try {
        const toolkit = new Toolkit(await mcpTools(client));
        const entities = [{ name: "Ann", entityType: "person", observations: ["likes tea"] }];
        await toolkit.run([callOf("create_entities", { entities })], { approve });
        const [graph] = await toolkit.run([callOf("read_graph")], { approve });
        assert.equal(graph.result.value.entities[0].name, "Ann");
      } finally {
        await client.close();
      }
    });

    test("progress is reported, and cancelling the run cancels the request", async () => {
      const client = await overStdio(sdk, "server-everything", ["stdio"]);
      try {
        const toolkit = new Toolkit(await mcpTools(client, { trust: true }));
        const controller = new AbortController();
        const call = callOf("trigger-long-running-operation", { duration: 20, steps: 100 });
        const stream = toolkit.stream([call], { signal: controller.signal });
        let step = await stream.next();
        let progress = 0;
        for (; !step.done; step = await stream.next()) {
          if (step.value.type === "toolProgress" && ++progress === 2) controller.abort();
        }
        assert.equal(step.value[0].error.type, "cancelled");
        const [after] = await toolkit.run([callOf("echo", { message: "still connected" })]);
        assert.equal(after.result.value, "Echo: still connected");
      } finally {
        await client.close();
      }
    });
  });
}

/** A server with these tools, two on each page, and a client of it. */
async function ownServer(tools, ClientOfSdk = Client) {
  const server = new Server({ name: "own", version: "1" }, { capabilities: { tools: { listChanged: true } } });
  server.setRequestHandler(ListToolsRequestSchema, ({ params }) => {
    const from = Number(params?.cursor ?? 0);
    const page = tools.slice(from, from + 2).map((tool) => ({ inputSchema: { type: "object" }, ...tool }));
    return { tools: page, ...(from + 2 < tools.length && { nextCursor: String(from + 2) }) };
  });
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => ({
    content: [{ type: "text", text: `${params.name} ran` }],
  }));
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const client = new ClientOfSdk({ name: "t", version: "1" });
  await Promise.all([server.connect(theirs), client.connect(ours)]);
  return { server, client };
}

const annotated = [
  { name: "plain" },
  { name: "reads", annotations: { readOnlyHint: true } },
  { name: "harmless", annotations: { destructiveHint: false } },
  { name: "destroys", annotations: { destructiveHint: true, title: "Destroys" } },
  { name: "liar", annotations: { readOnlyHint: true, destructiveHint: true } },
];

test("tools of any name can be registered and called", async () => {
  const { client } = await ownServer([{ name: "get météo (v2)" }]);
  const tools = await mcpTools(client, { prefix: "own_", trust: true, policy: () => ({ needsApproval: false }) });
  assert.deepEqual(
    tools.map(({ name }) => name),
    ["own_get_m_t_o__v2_"],
  );
  const [{ result }] = await new Toolkit(tools).run([callOf("own_get_m_t_o__v2_")]);
  assert.equal(result.value, "get météo (v2) ran");
});

test("all pages are read", async () => {
  const { client } = await ownServer(annotated);
  assert.deepEqual(
    (await mcpTools(client)).map(({ name }) => name),
    annotated.map(({ name }) => name),
  );
});

test("annotations of an untrusted server can only make a tool stricter", async () => {
  const { client } = await ownServer(annotated);
  const toolkit = new Toolkit(await mcpTools(client));
  assert.deepEqual(toolkit.names({}), ["plain", "reads", "harmless"]);
  const calls = annotated.map(({ name }) => callOf(name));
  const executions = await toolkit.run(calls, { filter: { excludeDangerous: false } });
  assert.deepEqual(
    executions.map(({ status }) => status),
    annotated.map(() => "unapproved"),
  );
});

test("annotations of a trusted server are believed", async () => {
  const { client } = await ownServer(annotated);
  const toolkit = new Toolkit(await mcpTools(client, { trust: true }));
  const executions = await toolkit.run(
    annotated.map(({ name }) => callOf(name)),
    { filter: { excludeDangerous: false } },
  );
  assert.deepEqual(
    executions.map(({ status }) => status),
    ["unapproved", "done", "done", "unapproved", "done"],
  );
  assert.equal(toolkit.get("destroys").title, "Destroys");
});

test("a policy of the application overrides", async () => {
  const { client } = await ownServer(annotated);
  const policy = ({ name }) => (name === "plain" ? { needsApproval: false, category: "x" } : {});
  const toolkit = new Toolkit(await mcpTools(client, { policy }));
  assert.deepEqual(toolkit.categories(), ["x"]);
  assert.equal((await toolkit.run([callOf("plain")]))[0].result.value, "plain ran");
});

for (const [version, sdk] of Object.entries(clients)) {
  test(`${version}: onChange receives the new list`, async () => {
    const tools = [{ name: "first" }];
    const { client, server } = await ownServer(tools, sdk.Client);
    const changed = new Promise((resolve) => {
      mcpTools(client, { prefix: "p_", onChange: resolve });
    });
    await new Promise((resolve) => setImmediate(resolve));
    tools.push({ name: "second" });
    await server.sendToolListChanged();
    assert.deepEqual(
      (await changed).map(({ name }) => name),
      ["p_first", "p_second"],
    );
  });
}

for (const [version, sdk] of Object.entries(clients)) {
  test(`${version}: a new list that can't be read is reported to the client's onerror`, async () => {
    const { client, server } = await ownServer([{ name: "first" }], sdk.Client);
    const lists = [];
    await mcpTools(client, { onChange: (tools) => lists.push(tools) });
    server.setRequestHandler(ListToolsRequestSchema, () => {
      throw new Error("the list is gone");
    });
    const reported = new Promise((resolve) => {
      client.onerror = resolve;
    });
    await server.sendToolListChanged();
    assert.match((await reported).message, /the list is gone/);
    assert.deepEqual(lists, []);
  });
}

test("a client that reports no changes can't have onChange", async () => {
  const silent = { listTools: async () => ({ tools: [] }), callTool: async () => ({}) };
  await assert.rejects(mcpTools(silent, { onChange() {} }), { name: "ToolkitError", code: "invalid_options" });
});

test("any object with the same two methods is a client", async () => {
  const client = {
    listTools: async () => ({ tools: [{ name: "t", inputSchema: { type: "object" } }] }),
    callTool: async ({ name }) => ({ content: [{ type: "text", text: name }] }),
  };
  const toolkit = new Toolkit(await mcpTools(client, { policy: () => ({ needsApproval: false }) }));
  assert.equal((await toolkit.run([callOf("t")]))[0].result.value, "t");
});
