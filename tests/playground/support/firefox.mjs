// Firefox, as Debian has it, with a profile of its own.

import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { connect } from "./bidi.mjs";

const names = ["firefox-esr", "firefox"];

/** The path of Firefox, or undefined. The variable FIREFOX names another one. */
export function findFirefox() {
  const { FIREFOX, PATH = "" } = process.env;
  if (FIREFOX) return FIREFOX;
  return names
    .flatMap((name) => PATH.split(delimiter).map((folder) => join(folder, name)))
    .find((path) => existsSync(path));
}

/** Nothing is asked for besides the page. */
const preferences = {
  "app.normandy.enabled": false,
  "app.update.disabledForTesting": true,
  "browser.safebrowsing.downloads.enabled": false,
  "browser.shell.checkDefaultBrowser": false,
  "datareporting.policy.dataSubmissionEnabled": false,
  "network.captive-portal-service.enabled": false,
  "network.connectivity-service.enabled": false,
  "toolkit.telemetry.enabled": false,
};

/** How long Firefox may take to start, in milliseconds. */
const patience = 60_000;

/** A page in Firefox. `problems` has its errors. */
export async function openFirefox(path) {
  const profile = mkdtempSync(join(tmpdir(), "toolwire-firefox-"));
  const lines = Object.entries(preferences).map(([name, value]) => `user_pref("${name}", ${value});`);
  writeFileSync(join(profile, "user.js"), lines.join("\n"));
  const browser = spawn(path, ["--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0"], {
    env: { ...process.env, HOME: profile, MOZ_HEADLESS: "1" },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = new Promise((end) => browser.on("exit", end));
  const close = async () => {
    browser.kill();
    await ended;
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const problems = [];
    const session = await connect(`${await addressOf(browser)}/session`, ({ params }) => {
      if (params.level === "error") problems.push(params.text);
    });
    const { capabilities } = await session.send("session.new", { capabilities: {} });
    await session.send("session.subscribe", { events: ["log.entryAdded"] });
    const [{ context }] = (await session.send("browsingContext.getTree")).contexts;
    return { ...pageOf(session, context), problems, version: capabilities.browserVersion, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function addressOf(browser) {
  return new Promise((resolve, reject) => {
    let written = "";
    const timer = setTimeout(() => reject(new Error(`Firefox did not start: ${written.slice(-500)}`)), patience);
    browser.on("error", reject);
    browser.stderr.on("data", (bytes) => {
      written += bytes;
      const address = /BiDi listening on (ws:\S+)/.exec(written)?.[1];
      if (!address) return;
      clearTimeout(timer);
      resolve(address);
    });
  });
}

function pageOf(session, context) {
  const evaluate = async (expression) => {
    const { result, exceptionDetails } = await session.send("script.evaluate", {
      expression: `(async () => JSON.stringify(await (${expression})))()`,
      target: { context },
      awaitPromise: true,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.text);
    return result.value === undefined ? undefined : JSON.parse(result.value);
  };
  const press = (...keys) =>
    session.send("input.performActions", {
      context,
      actions: [{ type: "key", id: "keyboard", actions: keys.map(([type, value]) => ({ type, value })) }],
    });
  return {
    goTo: (url) => session.send("browsingContext.navigate", { context, url, wait: "complete" }),
    evaluate,
    /** Types a text into what has the focus. */
    type: (text) =>
      press(
        ...[...text].flatMap((key) => [
          ["keyDown", key],
          ["keyUp", key],
        ]),
      ),
    /** Presses a key together with Control. */
    control: (key) => press(["keyDown", "\uE009"], ["keyDown", key], ["keyUp", key], ["keyUp", "\uE009"]),
    /** Waits until an expression is true. */
    async until(expression, milliseconds = 15_000) {
      const end = Date.now() + milliseconds;
      while (!(await evaluate(expression))) {
        if (Date.now() > end) throw new Error(`never true: ${expression}`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
  };
}
