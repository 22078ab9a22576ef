import { run } from "./run.mjs";
import { filesBelow } from "./stamps.mjs";

/** Runs the test files at or below a folder under Node's test runner. */
export function testNode(folder, env) {
  const files = filesBelow([folder]).filter((file) => file.endsWith(".test.mjs"));
  run(process.execPath, ["--test", "--test-reporter=spec", ...files], { env });
}
