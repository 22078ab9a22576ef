// `node bench/playground.mjs`: measures the built playground against its budgets in Chromium, and prints the table of bench/playground.md.
// Network: 1.6 Mbit/s and 150 ms. Other load on the machine lengthens all times.

import { loadavg } from "node:os";
import { join } from "node:path";
import { root } from "../scripts/lib/run.mjs";
import { serveFolder } from "../scripts/playground/server.mjs";
import { launch } from "../tests/package/support/browser.mjs";
import { paste, settled } from "../tests/playground/support/page.mjs";

const RATES = [1, 4];
const VISITS = 3;
const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];
const ms = (number) => `${Math.round(number)} ms`;

const server = await serveFolder(join(root, "build/playground"));
const browser = await launch();
const viewport = { width: 1440, height: 900 };
try {
  console.log(`Load of the machine: ${loadavg()[0].toFixed(1)}\n\n| budget | bar | measured |\n|---|---|---|`);
  const visits = [];
  for (const rate of RATES) {
    const all = [];
    for (let count = 0; count < VISITS; count++) all.push(await visit(rate));
    visits.push({ paint: median(all.map(({ paint }) => paint)), converted: median(all.map((one) => one.converted)) });
  }
  const [one, four] = visits;
  row("a prerendered result on screen, 4× CPU", "1,000 ms", ms(four.paint));
  row("own input convertible, 1× CPU", "2,600 ms and the wasm's growth", ms(one.converted));
  row("own input convertible, 4× CPU", "3,300 ms and the wasm's growth", ms(four.converted));
  await measureWork();
} finally {
  await browser.close();
  server.close();
}

function row(...cells) {
  console.log(`| ${cells.join(" | ")} |`);
}

async function throttle(page, rate) {
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate });
  return session;
}

/** A first visit: when something is painted, and when the wasm has converted. */
async function visit(rate) {
  const context = await browser.newContext({ viewport, serviceWorkers: "block" });
  const page = await context.newPage();
  const session = await throttle(page, rate);
  await session.send("Network.enable");
  const bytesPerSecond = 1_600_000 / 8;
  await session.send("Network.emulateNetworkConditions", {
    ...{ offline: false, latency: 150, downloadThroughput: bytesPerSecond, uploadThroughput: bytesPerSecond },
  });
  await page.goto(server.url, { waitUntil: "commit" });
  const found = await page.waitForFunction(
    () => document.querySelector("#findings")?.parentElement.innerText.includes("converted in") && performance.now(),
    undefined,
    { timeout: 60_000, polling: 20 },
  );
  const converted = await found.jsonValue();
  const paint = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0].startTime);
  await context.close();
  return { paint, converted };
}

async function measureWork() {
  const context = await browser.newContext({ viewport });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const page = await context.newPage();
  await page.goto(server.url);
  await settled(page);
  await paste(page, stream(2000));
  await page.locator("#stage input[type=range]").waitFor();
  await throttle(page, 4);
  const steps = await page.evaluate(stepTimes);
  row(
    "any step of a stream of 2,000 events, 4× CPU",
    "100 ms",
    `${ms(median(steps))}, at most ${ms(Math.max(...steps))}`,
  );
  await throttle(page, 1);
  const content = "All work and no play makes Jack a dull boy. ".repeat(19);
  const messages = Array.from({ length: 240 }, (_, index) => ({ role: index % 2 ? "assistant" : "user", content }));
  await paste(page, JSON.stringify({ model: "m", messages }, undefined, 1));
  await page.keyboard.press("ControlOrMeta+Home");
  row("key to result, 200 kB, 1× CPU", "300 ms", ms(await keyToResult(page)));
  await context.close();
}

function stream(count) {
  const chunk = (delta, finish_reason = null) =>
    `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", model: "m", choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  const texts = Array.from({ length: count - 2 }, (_, index) => chunk({ content: `word${index} ` }));
  return [chunk({ role: "assistant", content: "" }), ...texts, chunk({}, "stop"), "data: [DONE]\n\n"].join("");
}

/** In the page: moves the player, forwards and backwards, and waits for the frame after each step. */
async function stepTimes() {
  const slider = document.querySelector("#stage input[type=range]");
  const last = Number(slider.max);
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const times = [];
  for (const value of [1, 2, 3, 1000, 1001, last, last - 1, 1, 500, 1500, 10, last]) {
    await frame();
    const start = performance.now();
    slider.value = value;
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    await frame();
    times.push(performance.now() - start);
  }
  return times;
}

/** From a key until the result is shown. */
async function keyToResult(page) {
  const times = [];
  for (let count = 0; count < 5; count++) {
    await page.evaluate(() => {
      const stage = document.querySelector("#stage");
      addEventListener("keydown", ({ timeStamp }) => (window.pressed = timeStamp), { once: true, capture: true });
      new MutationObserver((_, observer) => {
        if (stage.getAttribute("aria-busy") !== "false") return;
        observer.disconnect();
        window.shown = performance.now();
      }).observe(stage, { attributes: true, attributeFilter: ["aria-busy"] });
      window.shown = undefined;
    });
    await page.keyboard.press("Space");
    const shown = await page.waitForFunction(() => window.shown && window.shown - window.pressed);
    times.push(await shown.jsonValue());
    await page.waitForTimeout(300);
  }
  return median(times);
}
