// `npm run ready`: formats and lints what changed since the branch left `main`, and runs the tests that concern it most, in less than a
// minute if little is to be compiled. `-- REF` names another commit to compare with.

import { build } from "./build/all.mjs";
import { checkPage as checkCodes } from "./codes/page.mjs";
import { locked, main, outputOf, run } from "./lib/run.mjs";
import { setUpNpm, setUpRust } from "./lib/setup.mjs";
import { filesBelow } from "./lib/stamps.mjs";
import { testFiles } from "./lib/tests.mjs";
import { checkPage as checkQuirks } from "./quirks/all.mjs";
import { needsPackage, nodeTests, ownTest, rustTests, unitTests } from "./ready/rules.mjs";
import { checkVectors } from "./vectors/lists.mjs";

const isCompiled = (file) => /\.rs$|^src\/|^Cargo\.|\/Cargo\.toml$/.test(file);
const isRustTest = (name) => filesBelow([`tests/${name}.rs`, `tests/${name}/main.rs`]).length > 0;

await main(async () => {
  await setUpNpm();
  setUpRust();
  const files = changedSince(process.argv[2] ?? outputOf("git", ["merge-base", "HEAD", "main"]) ?? "HEAD");
  console.log(files.length > 0 ? files.join("\n") : "nothing changed");
  const steps = [formatAll, checkLists, lintRust, testRust, testJavaScript];
  for (const step of steps) {
    const start = performance.now();
    await step(files);
    const seconds = (performance.now() - start) / 1000;
    if (seconds > 0.5) console.log(`· ${step.name}: ${seconds.toFixed(1)} s`);
  }
});

/** The files that were changed, committed or not. Deleted ones are left out. */
function changedSince(commit) {
  const changed = outputOf("git", ["diff", "--name-only", "--diff-filter=d", commit]) ?? "";
  const added = outputOf("git", ["ls-files", "--others", "--exclude-standard"]) ?? "";
  return [...new Set(`${changed}\n${added}`.split("\n").filter(Boolean))];
}

function formatAll(files) {
  const rust = files.filter((file) => file.endsWith(".rs"));
  if (rust.length > 0) run("rustfmt", rust);
  if (files.length > 0)
    run("node_modules/.bin/biome", ["check", "--write", "--no-errors-on-unmatched", "--error-on-warnings", ...files]);
}

function checkLists() {
  checkVectors();
  checkQuirks();
  checkCodes();
}

/** For wasm only if the code for it changed. */
function lintRust(files) {
  if (!files.some(isCompiled)) return;
  const deny = [...locked, "--", "-D", "warnings"];
  run("cargo", ["clippy", "-q", "--lib", "--tests", ...deny]);
  if (files.some((file) => /^src\/(?:.*\/)?(?:bindings|js)\//.test(file)))
    run("cargo", ["clippy", "-q", "--lib", "--target", "wasm32-unknown-unknown", ...deny]);
}

function testRust(files) {
  const folders = unique(files.map(unitTests));
  const tests = unique([...matching(rustTests, files), ...files.map(ownTest)]).filter(isRustTest);
  const selected = tests.flatMap((name) => ["--test", name]);
  if (selected.length > 0) run("cargo", ["test", "-q", ...selected, ...locked]);
  if (folders.length > 0) run("cargo", ["test", "-q", "--lib", ...locked, "--", ...folders.map((name) => `${name}::`)]);
}

async function testJavaScript(files) {
  const own = files.filter((file) => file.endsWith(".test.mjs"));
  const tests = filesBelow(unique([...matching(nodeTests, files), ...own])).filter((file) =>
    file.endsWith(".test.mjs"),
  );
  if (tests.some(needsPackage)) await build({ quick: true });
  if (tests.length > 0) testFiles(tests, { reporter: "dot" });
}

function matching(rules, files) {
  return rules.filter(([paths]) => files.some((file) => paths.test(file))).flatMap(([, found]) => found);
}

function unique(items) {
  return [...new Set(items.filter((item) => item !== undefined))];
}
