// `npm run test:agents`: real coding agents hold a conversation through the gateway with an upstream of every other format. They run in an empty home, in
// a network namespace that has loopback only; without one, this fails. `npm run test:agents -- Codex gemini` runs what matches all of the words, and
// `-- --quick` what `npm test` runs: of some clients, with few upstreams.

import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const INSIDE = "TOOLWIRE_AGENTS_INSIDE";
const QUICK = "--quick";
const here = fileURLToPath(new URL(".", import.meta.url));
const TIMEOUT_MS = 150_000;
const UPSTREAMS = ["openai", "openai-responses", "anthropic", "gemini", "ollama"];

process.exitCode = process.env[INSIDE] ? await inside(process.argv.slice(2)) : outside(process.argv.slice(2));

function installedVersion(name) {
  const path = join(here, "node_modules", name, "package.json");
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")).version : undefined;
}

/** Installs the agents, which needs the network, and starts the tests where there is none. */
function outside(words) {
  const { dependencies } = JSON.parse(readFileSync(join(here, "package.json"), "utf8"));
  if (!Object.entries(dependencies).every(([name, version]) => installedVersion(name) === version)) {
    execFileSync("npm", ["ci", "--no-audit", "--no-fund"], { cwd: here, stdio: "inherit" });
  }
  const isRoot = process.getuid?.() === 0;
  const args = [
    "--net",
    ...(isRoot ? [] : ["--map-root-user"]),
    process.execPath,
    fileURLToPath(import.meta.url),
    ...words,
  ];
  const { status, error } = spawnSync("unshare", args, { stdio: "inherit", env: { ...process.env, [INSIDE]: "1" } });
  if (error || status === null) console.error(`no network namespace: ${error?.message ?? "unshare failed"}`);
  return status ?? 1;
}

async function inside(given) {
  execFileSync("ip", ["link", "set", "lo", "up"]);
  const foreign = Object.values(networkInterfaces())
    .flat()
    .filter(({ internal }) => !internal);
  if (foreign.length > 0) throw new Error("the namespace has more than loopback");
  const { clients } = await import("./clients.mjs");
  const isQuick = given.includes(QUICK);
  const words = given.filter((word) => word !== QUICK);
  const pairs = Object.entries(clients).flatMap(([name, client]) =>
    ((isQuick && client.quick) || UPSTREAMS)
      .filter((upstream) => upstream !== client.dialect)
      .map((upstream) => ({ name, client, upstream })),
  );
  const selected = pairs.filter(({ name, upstream }) => words.every((word) => `${name} ${upstream}`.includes(word)));
  let failed = 0;
  for (const pair of selected) {
    const start = performance.now();
    const problems = await converse(pair);
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    console.log(
      `${problems.length === 0 ? "passed" : "FAILED"}  ${seconds.padStart(5)} s  ${pair.name} → ${pair.upstream}`,
    );
    for (const problem of problems) console.log(`        ${problem}`);
    if (problems.length > 0) failed += 1;
  }
  console.log(`agents: ${selected.length - failed} passed, ${failed} failed`);
  return failed === 0 && selected.length > 0 ? 0 : 1;
}

/** One conversation. Returns what was wrong. */
async function converse({ client, upstream }) {
  const { createGateway } = await import("../../pkg/dist/gateway/node.js");
  const { serve } = await import("../../pkg/dist/gateway/serve.js");
  const { upstreams } = await import("../package/support/gateway/provider.mjs");
  const { startUpstream } = await import("./upstream.mjs");
  const { DONE, WRITTEN, scriptOf } = await import("./script.mjs");
  const { problemsOf } = await import("./check.mjs");
  const folder = mkdtempSync(join(tmpdir(), "toolwire-agent-"));
  const [cwd, home] = ["work", "home"].map((name) => join(folder, name));
  for (const path of [cwd, home]) mkdirSync(path);
  const { IMAGE } = await import("../package/support/gateway/scenarios.mjs");
  writeFileSync(join(cwd, "dot.png"), Buffer.from(IMAGE, "base64"));
  const played = await startUpstream(upstream, scriptOf(client, upstream, cwd));
  const warnings = [];
  const there = {
    dialect: upstream,
    baseUrl: played.url,
    key: "upstream-key",
    models: upstreams[upstream].model,
    retries: 0,
  };
  const gateway = createGateway(
    { upstreams: { there }, open: "loopback" },
    { onWarning: (warning) => warnings.push(warning) },
  );
  const server = await serve(gateway, { port: 0 });
  const ended = await client.start(server.url, { cwd, home, prompt: "Do what is to be done.", timeoutMs: TIMEOUT_MS });
  await server.stop();
  played.close();
  const written = existsSync(join(cwd, "new.txt")) ? readFileSync(join(cwd, "new.txt"), "utf8").trim() : undefined;
  rmSync(folder, { recursive: true, force: true });
  let said;
  try {
    said = client.said(ended.stdout);
  } catch {
    said = undefined;
  }
  const problems = [
    ...(ended.status === 0
      ? []
      : [`the agent ended with ${ended.status}: ${ended.stderr.slice(-300)} ${ended.stdout.slice(-300)}`]),
    ...(said === DONE ? [] : [`the agent said ${JSON.stringify(said)}`]),
    ...(written === WRITTEN ? [] : [`the file contains ${JSON.stringify(written)}`]),
    ...played.complaints,
  ];
  return [...problems, ...problemsOf(played.requests, warnings)];
}
