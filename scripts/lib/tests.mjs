import { run } from "./run.mjs";
import { filesBelow } from "./stamps.mjs";

/** The module that test files are run with. */
export const untracked = new URL("untracked.mjs", import.meta.url).href;

/** Runs test files under Node's test runner. */
export function testFiles(files, { reporter = "spec", env } = {}) {
  run(process.execPath, ["--import", untracked, "--test", `--test-reporter=${reporter}`, ...files], { env });
}

/** Runs the test files at or below a folder. */
export function testNode(folder, env) {
  testFiles(
    filesBelow([folder]).filter((file) => file.endsWith(".test.mjs")),
    { env },
  );
}
