// The tools of an MCP server, here the reference server of the protocol, over stdio.

import { createRequire } from "node:module";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { mcpTools } from "toolwire/toolkit";

const server = createRequire(import.meta.url).resolve("@modelcontextprotocol/server-everything/dist/index.js");

/** The one tool of the server that this application wants, and the function that ends the connection. */
export async function connectWeather() {
  const client = new Client({ name: "toolwire-example", version: "1.0.0" });
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [server, "stdio"], stderr: "ignore" }),
  );
  const tools = await mcpTools(client, { prefix: "weather_", trust: true });
  const weather = tools.find(({ name }) => name === "weather_get-structured-content");
  return { weather, disconnect: () => client.close() };
}
