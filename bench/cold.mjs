// The cold start of a fresh process, many times.

import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { median, print, verdict } from "./print.mjs";

const worker = fileURLToPath(new URL("cold-worker.mjs", import.meta.url));
const starts = 21;

export function reportColdStart() {
  const runs = Array.from({ length: starts }, () =>
    JSON.parse(execFileSync(process.execPath, [worker], { encoding: "utf8" })),
  );
  print(["cold start", "ms", "target", ""]);
  for (const step of Object.keys(runs[0])) {
    const milliseconds = median(runs.map((run) => run[step]));
    const aim = step === "total" ? ["≤ 6", verdict(milliseconds <= 6)] : ["", ""];
    print([step, milliseconds.toFixed(2), ...aim]);
  }
}
