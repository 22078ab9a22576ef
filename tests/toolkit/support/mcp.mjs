// MCP servers from npm and the official clients, of both versions of the SDK.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import * as next from "@modelcontextprotocol/client";
import * as nextStdio from "@modelcontextprotocol/client/stdio";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const require = createRequire(import.meta.url);
const info = { name: "toolwire-test", version: "1.0.0" };

/** The program of a reference server. */
const programOf = (server) => {
  const manifest = require.resolve(`@modelcontextprotocol/${server}/package.json`);
  return manifest.replace("package.json", Object.values(require(manifest).bin)[0]);
};

export const clients = {
  "SDK 1": { Client, Stdio: StdioClientTransport, Http: StreamableHTTPClientTransport },
  "SDK 2": { Client: next.Client, Stdio: nextStdio.StdioClientTransport, Http: next.StreamableHTTPClientTransport },
};

/** A client of a reference server that runs as a child process. */
export async function overStdio({ Client, Stdio }, server, args = [], env = {}) {
  const client = new Client(info);
  const command = { command: process.execPath, args: [programOf(server), ...args], stderr: "ignore", env };
  await client.connect(new Stdio(command));
  return client;
}

/** A client of server-everything that listens on loopback; `stop` ends the server. */
export async function overHttp({ Client, Http }) {
  const port = await freePort();
  const env = { ...process.env, PORT: String(port) };
  const server = spawn(process.execPath, [programOf("server-everything"), "streamableHttp"], { env, stdio: "ignore" });
  const url = new URL(`http://127.0.0.1:${port}/mcp`);
  for (let tries = 0; tries < 100 && !(await answers(url)); tries++) await new Promise((done) => setTimeout(done, 100));
  const client = new Client(info);
  await client.connect(new Http(url));
  const stop = async () => {
    await client.close();
    server.kill();
    await once(server, "exit");
  };
  return { client, stop };
}

const answers = (url) =>
  fetch(url).then(
    () => true,
    () => false,
  );

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}
