// Counts primes, in a worker: however long it takes, it can be stopped.

import { inWorker, tool } from "toolwire/toolkit";

export const primes = tool({
  name: "count_primes",
  description: "Counts the primes up to a limit.",
  category: "math",
  sandboxed: true,
  timeoutMs: 2000,
  memoryLimitMb: 64,
  parameters: [{ name: "limit", type: "integer", description: "The largest number to look at", minValue: 2 }],
  execute: inWorker(new URL("primes-worker.js", import.meta.url)),
});
