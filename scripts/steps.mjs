// The steps of `npm test`: two lanes, each in this order. To add a step, add it here.

import { join } from "node:path";
import { runtimes } from "../tests/packaging/runtimes.mjs";
import { build } from "./build/all.mjs";
import { buildPlayground } from "./build/playground.mjs";
import { checkPage as checkCodes } from "./codes/page.mjs";
import { engines, judge } from "./lib/grammars.mjs";
import { testSeedOfTheDay } from "./lib/properties.mjs";
import { locked, root, run, tested } from "./lib/run.mjs";
import { setUpChromium, setUpFirefox, setUpTestRunner, wasmTestRunner } from "./lib/setup.mjs";
import { rustFiles } from "./lib/stamps.mjs";
import { testNode } from "./lib/tests.mjs";
import { checkPage as checkQuirks } from "./quirks/all.mjs";
import { buildSite } from "./site/build.mjs";
import { checkVectors } from "./vectors/lists.mjs";

const wasm = ["--target", "wasm32-unknown-unknown"];
const deny = ["--", "-D", "warnings"];

/** Steps that compile Rust, which cargo does one after the other. */
const compiling = [
  { group: "lint", name: "Rust format", run: () => run("rustfmt", ["--check", ...rustFiles()]) },
  { group: "lint", name: "clippy, native", run: () => run("cargo", ["clippy", "--all-targets", ...locked, ...deny]) },
  {
    group: "lint",
    name: "clippy, wasm",
    run: () => run("cargo", ["clippy", "--all-targets", "--features", "trace", ...wasm, ...locked, ...deny]),
  },
  { group: "native", name: "Rust tests, native", run: () => run("cargo", ["test", ...tested, ...locked]) },
  { group: "native", name: "properties, with the seed of the day", run: testSeedOfTheDay },
  {
    group: "native",
    name: "families with several providers, and maps of conversions",
    run: () =>
      run("cargo", ["test", "--features", "trial,trace", "--test", "matrix", "--test", "trace", ...tested, ...locked]),
  },
  { group: "native", name: "Rust examples", run: () => testNode("tests/rust") },
  { group: "wasm", name: "Rust tests, wasm in Node", run: testWasm },
  ...Object.entries(engines).map(([engine, { title, sample }]) => ({
    group: "grammars",
    name: `grammars: ${title}`,
    run: () => judge(engine, sample),
  })),
];

/** Steps with the package, and those in JavaScript alone. */
const built = [
  {
    group: "lint",
    name: "JavaScript format and lint",
    run: () => run("node_modules/.bin/biome", ["check", "--error-on-warnings"]),
  },
  { group: "lint", name: "docs/quirks.md is up to date", run: checkQuirks },
  { group: "lint", name: "vectors are in order, and their lists up to date", run: checkVectors },
  { group: "lint", name: "the codes in docs/format.md are up to date", run: checkCodes },
  { group: "scripts", name: "tests of the scripts", run: () => testNode("tests/scripts") },
  { group: "package", name: "package, built and tested", run: testPackage },
  { group: "text", name: "text formats, built and tested", run: testText },
  { group: "toolkit", name: "toolkit, built and tested", run: testToolkit },
  { group: "packaging", name: "package, installed in other runtimes", run: testPackaging },
  { group: "playground", name: "playground, built and tested", run: testPlayground },
  { group: "site", name: "site, built and tested", run: testSite },
  // a network namespace, in which the agents can call nobody, is Linux's
  ...(process.platform === "linux"
    ? [{ group: "agents", name: "coding agents, through the gateway", run: testAgents }]
    : []),
  {
    group: "package",
    name: "generated requests, edited",
    run: () => run(process.execPath, ["scripts/check-recorded.mjs", "--generated"]),
  },
];

/** `npm test -- GROUP` selects the steps of a `group`; those of one `lane` run one after the other. */
export const steps = Object.entries({ compiling, built }).flatMap(([lane, all]) =>
  all.map((step) => ({ ...step, lane })),
);

async function testWasm() {
  await setUpTestRunner();
  // Without doc tests, which run natively.
  run("cargo", ["test", "--lib", "--tests", ...wasm, ...locked], {
    env: { CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER: join(root, wasmTestRunner) },
  });
}

async function testPackage() {
  await build();
  setUpChromium();
  testNode("tests/package");
}

async function testText() {
  await build();
  testNode("tests/text");
}

async function testToolkit() {
  await build();
  setUpChromium();
  testNode("tests/toolkit");
}

/** The projects that install quickly; `npm run test:packaging` tests all. */
async function testPackaging() {
  await build();
  const quick = Object.keys(runtimes).filter((name) => runtimes[name].inTests);
  testNode("tests/packaging", { PACKAGING: quick.join(" ") });
}

async function testAgents() {
  await build();
  run(process.execPath, ["tests/agents/run.mjs"]);
}

async function testPlayground() {
  await build();
  run("node_modules/.bin/tsc", ["-p", "www"]);
  await buildPlayground();
  setUpChromium();
  setUpFirefox();
  testNode("tests/playground");
}

async function testSite() {
  await build();
  await buildSite();
  setUpChromium();
  testNode("tests/site");
}
