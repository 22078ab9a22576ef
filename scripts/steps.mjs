// The steps of `npm test`, in the order in which they start. To add a step, add it here: its `group` is what `npm test -- GROUP` selects,
// `needs` names a step that comes before it, and no two steps with the same `folder`, in which cargo compiles, run at the same time.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { runtimes } from "../tests/packaging/runtimes.mjs";
import { build } from "./build/all.mjs";
import { buildPlayground } from "./build/playground.mjs";
import { checkPage as checkCodes } from "./codes/page.mjs";
import { engines, judge } from "./lib/grammars.mjs";
import { testSeedOfTheDay } from "./lib/properties.mjs";
import { locked, root, run, tested } from "./lib/run.mjs";
import { setUpChromium, setUpFirefox, setUpTestTools, wasmTestRunner } from "./lib/setup.mjs";
import { filesBelow, rustFiles } from "./lib/stamps.mjs";
import { testNode } from "./lib/tests.mjs";
import { checkPage as checkQuirks } from "./quirks/all.mjs";
import { buildSite } from "./site/build.mjs";
import { checkVectors } from "./vectors/lists.mjs";

const wasm = ["--target", "wasm32-unknown-unknown"];
const deny = ["--", "-D", "warnings"];

const tools = "tools of wasm-bindgen, compiled";
/** The step that most others need. */
const built = "package and playground, built";

export const steps = [
  // before the build, which needs one of them: together, they take less time
  { group: "wasm", name: tools, run: setUpTestTools },
  { group: "build", name: built, needs: tools, run: buildAll },
  // the longest, so that the others run beside them
  { group: "playground", name: "playground, tested", needs: built, run: () => testNode("tests/playground") },
  { group: "package", name: "package, tested", needs: built, run: () => testNode("tests/package") },
  { group: "toolkit", name: "toolkit, tested", needs: built, run: () => testNode("tests/toolkit") },
  {
    group: "lint",
    name: "JavaScript format and lint",
    run: () => run("node_modules/.bin/biome", ["check", "--error-on-warnings"]),
  },
  { group: "lint", name: "docs/quirks.md is up to date", run: checkQuirks },
  { group: "lint", name: "vectors are in order, and their lists up to date", run: checkVectors },
  { group: "lint", name: "the codes in docs/format.md are up to date", run: checkCodes },
  { group: "lint", name: "Rust format", run: () => run("rustfmt", ["--check", ...rustFiles()]) },
  {
    group: "lint",
    name: "clippy, native",
    folder: "debug",
    run: () => run("cargo", ["clippy", "--all-targets", ...locked, ...deny]),
  },
  { group: "native", name: "Rust tests, native", folder: "tested", run: testNative },
  {
    group: "lint",
    name: "clippy, wasm",
    folder: "wasm",
    run: () => run("cargo", ["clippy", "--all-targets", "--features", "trace", ...wasm, ...locked, ...deny]),
  },
  { group: "wasm", name: "Rust tests, wasm in Node", needs: tools, folder: "wasm", run: testWasm },
  { group: "native", name: "properties, with the seed of the day", folder: "tested", run: testSeedOfTheDay },
  {
    group: "native",
    name: "families with several providers, and maps of conversions",
    folder: "tested",
    run: () => {
      const crates = ["--test", "matrix", "--test", "trace"];
      run("cargo", ["test", "--features", "trial,trace", ...crates, ...tested, ...locked]);
    },
  },
  {
    group: "native",
    name: "Rust unit tests, native",
    folder: "debug",
    run: () => run("cargo", ["test", "--lib", ...locked]),
  },
  { group: "native", name: "Rust examples", folder: "debug", run: () => testNode("tests/rust") },
  { group: "text", name: "text formats, tested", needs: built, run: () => testNode("tests/text") },
  { group: "packaging", name: "package, installed in other runtimes", needs: built, run: testPackaging },
  { group: "site", name: "site, built and tested", needs: built, run: testSite },
  // a network namespace, in which the agents can call nobody, is Linux's
  ...(process.platform === "linux"
    ? [{ group: "agents", name: "coding agents, through the gateway", needs: built, run: testAgents }]
    : []),
  {
    group: "package",
    name: "generated requests, edited",
    needs: built,
    folder: "tested",
    run: () => run(process.execPath, ["scripts/check-recorded.mjs", "--generated"]),
  },
  ...Object.entries(engines).map(([engine, { title, sample }]) => ({
    group: "grammars",
    name: `grammars: ${title}`,
    folder: "debug",
    run: () => judge(engine, sample),
  })),
  { group: "scripts", name: "tests of the scripts", run: () => testNode("tests/scripts") },
];

/** Those that run long, so that they are compiled with light optimisation. The maps of conversions need a feature. */
function testNative() {
  const crates = cratesOf(() => true).filter((name) => name !== "trace");
  run("cargo", ["test", ...crates.flatMap((name) => ["--test", name]), ...tested, ...locked]);
  run("cargo", ["test", "--doc", ...tested, ...locked]);
}

/** Builds what the package's tests load, and installs the browsers that run it. */
async function buildAll() {
  await build();
  run("node_modules/.bin/tsc", ["-p", "www"]);
  await buildPlayground();
  setUpChromium();
  setUpFirefox();
}

/** The test crates that have such a file: `tests/NAME.rs`, or one below `tests/NAME` beside `main.rs`. */
function cratesOf(isSuch) {
  const files = filesBelow(["tests"]).filter((file) => file.endsWith(".rs") && isSuch(file));
  const names = files.map((file) => file.split(/[/\\]/)[1].replace(/\.rs$/, ""));
  const isCrate = (name) =>
    existsSync(join(root, `tests/${name}.rs`)) || existsSync(join(root, `tests/${name}/main.rs`));
  return [...new Set(names)].filter(isCrate);
}

/** Only the crates that have tests for wasm: what the others contain is compiled for it by clippy. */
function testWasm() {
  const hasTests = (file) => readFileSync(join(root, file), "utf8").includes("#[wasm_bindgen_test]");
  const crates = cratesOf(hasTests);
  run("cargo", ["test", ...crates.flatMap((name) => ["--test", name]), ...wasm, ...tested, ...locked], {
    env: { CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER: join(root, wasmTestRunner) },
  });
}

/** The projects that install quickly; `npm run test:packaging` tests all. */
function testPackaging() {
  const quick = Object.keys(runtimes).filter((name) => runtimes[name].inTests);
  testNode("tests/packaging", { PACKAGING: quick.join(" ") });
}

function testAgents() {
  run(process.execPath, ["tests/agents/run.mjs", "--quick"]);
}

async function testSite() {
  await buildSite();
  testNode("tests/site");
}
