// Installs what a new checkout lacks. Node, npm and rustup are required; everything else is installed here.

import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { CommandFailed, locked, outputOf, run, runBeside } from "./run.mjs";
import { isCurrent, whenChanged } from "./stamps.mjs";

const target = "wasm32-unknown-unknown";
const exe = process.platform === "win32" ? ".exe" : "";

export const bindgen = `target/tools/toolwire-bindgen${exe}`;
export const wasmTestRunner = `target/tools/toolwire-test-runner${exe}`;

export async function setUpNpm() {
  await whenChanged({
    name: "npm packages",
    // which contains the dependencies of package.json
    inputs: ["package-lock.json"],
    outputs: ["node_modules"],
    stamp: "node_modules/.toolwire-stamp",
    build: () => runBeside("npm", ["ci", "--no-audit", "--no-fund"], { output: 2 }),
  });
}

export function setUpRust() {
  const hasTarget = () => {
    const sysroot = outputOf("rustc", ["--print", "sysroot"]);
    return sysroot !== undefined && existsSync(join(sysroot, "lib/rustlib", target));
  };
  if (hasTarget()) return;
  console.error("· Rust toolchain");
  // without arguments, rustup installs the toolchain in rust-toolchain.toml
  if (outputOf("rustc", ["--version"]) === undefined) run("rustup", ["toolchain", "install"], { output: 2 });
  if (!hasTarget()) run("rustup", ["target", "add", target], { output: 2 });
}

const bindgenAlone = toolsStep({ bindgen });
/** The test runner is needed by the tests in wasm only: it compiles an HTTP client and a server. */
const testTools = toolsStep({ bindgen, "test-runner": wasmTestRunner });

export const setUpBindgen = async () => isCurrent(testTools) || whenChanged(bindgenAlone);
export const setUpTestTools = () => whenChanged(testTools);

/** One command for several tools: features of what they depend on differ, so that one after the other, cargo would compile that twice. */
function toolsStep(programs) {
  const names = Object.keys(programs);
  const selected = names.flatMap((name) => ["-p", `toolwire-${name}`]);
  return {
    name: `${names.join(" and ")} (compiled once)`,
    inputs: [...names.map((name) => `tools/${name}`), "Cargo.lock", "rust-toolchain.toml"],
    outputs: Object.values(programs),
    stamp: `target/tools/stamp of ${names.join(" and ")}`,
    build: () => run("cargo", ["build", ...selected, "--profile", "tools", ...locked], { output: 2 }),
  };
}

/** Chromium without windows: with it, the tests need a fifth less time of the CPU. */
const headless = "chromium-headless-shell";

/** The path of Chromium or Chrome: the variable CHROME, or the first one on the PATH. */
export function findChromium() {
  if (process.env.CHROME) return process.env.CHROME;
  const names = [headless, "chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome"];
  const folders = (process.env.PATH ?? "").split(delimiter);
  const places = names.flatMap((name) => folders.map((folder) => join(folder, name + exe)));
  places.push("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome");
  return places.find((place) => existsSync(place));
}

export function setUpChromium() {
  const found = findChromium();
  if (process.env.CHROME || found?.endsWith(headless)) return;
  if (!hasDebian()) {
    if (found) return;
    throw new CommandFailed(
      "the browser tests need Chromium or Chrome: install one, or name one in the variable CHROME",
    );
  }
  try {
    installFromDebian("Chromium without windows", headless);
  } catch (error) {
    console.error(`${headless} can't be installed: ${error.message}`);
    if (!found) installFromDebian("Chromium", "chromium");
  }
}

/** Installs Firefox where that is possible. Its only test is skipped elsewhere. */
export function setUpFirefox() {
  const isInstalled = outputOf("firefox-esr", ["--version"]) ?? outputOf("firefox", ["--version"]);
  if (isInstalled !== undefined || !hasDebian()) return;
  try {
    installFromDebian("Firefox", "firefox-esr");
  } catch (error) {
    console.error(`Firefox can't be installed: ${error.message}`);
  }
}

const hasDebian = () => process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");

function installFromDebian(title, name) {
  console.error(`· ${title}`);
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  run("apt-get", ["update", "-qq"], { env, output: 2 });
  run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", name], { env, output: 2 });
}
