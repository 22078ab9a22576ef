// `npm run check:compliance -- --suite PATH [--bun COMMAND] [--as-built] [NAME...]`: runs the compliance suite of Open Responses against the gateway, with an
// upstream of every other format on loopback. PATH is a checkout of the suite with its dependencies; it runs in Bun. Fails if a test fails that is
// not listed here, or if one passes that is. `tests/package/open-responses.test.mjs` checks the same rules without the suite.

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { build } from "./build/all.mjs";
import { CommandFailed, main } from "./lib/run.mjs";

const SUITE = "bin/compliance-test.ts";
const TIMEOUT = 120_000;

/** Tests that fail, by the start of their name, and why. */
const notServed = {
  "websocket-": "the gateway serves HTTP only",
  "compact-": "the gateway has no /v1/responses/compact: providers of other formats have nothing like it",
};

const reasonFor = (id) => Object.entries(notServed).find(([start]) => id.startsWith(start))?.[1];

await main(async () => {
  const options = {
    suite: { type: "string" },
    bun: { type: "string", default: "bun" },
    "as-built": { type: "boolean" },
  };
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  if (values.suite === undefined || !existsSync(resolve(values.suite, SUITE)))
    throw new CommandFailed(`usage: npm run check:compliance -- --suite PATH, where PATH/${SUITE} is`);
  if (!values["as-built"]) await build({ quick: true });
  const [{ conversations }, { startProvider, upstreams }, { gatewayTo, stopGateways }] = await Promise.all([
    import("../tests/package/support/gateway/open-responses.mjs"),
    import("../tests/package/support/gateway/provider.mjs"),
    import("../tests/package/support/gateway-server.mjs"),
  ]);
  // a response of Responses is passed on as it is
  const others = Object.keys(upstreams).filter((name) => name !== "openai-responses");
  const unknown = positionals.filter((name) => !others.includes(name));
  if (unknown.length > 0) throw new CommandFailed(`no upstream is ${unknown.join(", ")}`);
  const provider = await startProvider();
  let failed = 0;
  try {
    for (const dialect of positionals.length > 0 ? positionals : others) {
      const url = await gatewayTo({ dialect, baseUrl: `${provider.url}/${dialect}`, key: "the-key" });
      for (const [name, scenario] of Object.entries(conversations)) {
        provider.play(scenario(dialect));
        const results = await suite(values, `${url}/v1`, upstreams[dialect].model);
        failed += report(`${dialect}, ${name}`, results);
      }
    }
  } finally {
    provider.close();
    await stopGateways();
  }
  return failed > 0 ? 1 : 0;
});

/** Runs the suite, and returns its results. */
function suite({ suite, bun }, url, model) {
  const args = ["run", SUITE, "--base-url", url, "--api-key", "none", "--model", model, "--json"];
  return new Promise((done, fail) => {
    execFile(bun, args, { cwd: suite, timeout: TIMEOUT, maxBuffer: 2 ** 26 }, (error, out) => {
      try {
        done(JSON.parse(out).results);
      } catch {
        fail(new CommandFailed(`${bun} ${args.join(" ")}: ${error?.message ?? "printed no JSON"}`));
      }
    });
  });
}

/** Prints the results, and returns the number of those that are not as they should be. */
function report(title, results) {
  const wrong = results.filter(({ id, status }) => (status === "passed") === (reasonFor(id) !== undefined));
  const passed = results.filter(({ status }) => status === "passed");
  const left = results.filter(({ id }) => reasonFor(id) !== undefined);
  console.log(`${title}: ${passed.length} of ${results.length} pass, ${left.length} are not served`);
  for (const { id, status, errors = [] } of wrong) console.log(`  ${id}: ${status}\n    ${errors.join("\n    ")}`);
  return wrong.length;
}
