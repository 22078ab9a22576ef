// Requests per second and latency of a gateway on loopback, beside a pass-through with `node:http` and one with `fetch` and `serve`:
// `node bench/gateway/load.mjs [SECONDS]`. Upstream, gateway and driver are processes of their own on this machine; a run is bounded in time.
//   --size "2 kB", --clients 32    only these cells
//   --rounds 3                     each cell so often, all sides in turn; the median
//   --beside NAME=URL              another gateway, which listens there and sends to http://127.0.0.1:18700/v1; URL has the path of the request.
//                                  With `/v1/messages` at its end, its client is Anthropic's
//   --header "NAME=key: value"     a header for it
//   --pid NAME=PID                 its process, for its CPU time
//   --minutes 10                   instead: memory of the gateway under the load of few clients

import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { bodyOf, drive } from "./drive.mjs";
import { memory } from "./memory.mjs";
import { ports, start } from "./sides.mjs";

const SIZES = { "2 kB": 2_000, "160 kB": 160_000 };
const CLIENTS = [1, 32, 256];
const CHAT = "/v1/chat/completions";
const MESSAGES = "/v1/messages";

const way = (label, side, path) => ({ label, side, url: `http://127.0.0.1:${ports[side]}${path}` });
const own = [
  way("node:http", "node:http", CHAT),
  way("fetch and serve", "fetch and serve", CHAT),
  way("toolwire, Chat client", "toolwire", CHAT),
  way("toolwire, Anthropic client", "toolwire", MESSAGES),
];

/** What stands before and after the first `sign`. */
const split = (text, sign) => [text.slice(0, text.indexOf(sign)), text.slice(text.indexOf(sign) + sign.length).trim()];

function others({ beside = [], header = [], pid = [] }) {
  const headers = header.map((text) => split(text, "="));
  const pids = Object.fromEntries(pid.map((text) => split(text, "=")));
  return beside.map((text) => {
    const [label, url] = split(text, "=");
    const own = headers.filter(([name]) => name === label).map(([, field]) => split(field, ":"));
    return { label, url, headers: Object.fromEntries(own), pid: pids[label] };
  });
}

const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

/** Microseconds of a tick of the kernel's accounting. */
const TICK = 10_000;

/** The CPU time of a process so far in microseconds, where the kernel states it (Linux). */
function cpuOf(pid) {
  if (pid === undefined) return undefined;
  try {
    // the name of the program, in brackets, may contain spaces
    const [, fields] = readFileSync(`/proc/${pid}/stat`, "utf8").split(/\) (?=[A-Z] )/);
    const [user, system] = fields.split(" ").slice(11);
    return (Number(user) + Number(system)) * TICK;
  } catch {
    return undefined;
  }
}

/** As `drive`, with the microseconds of CPU time that the process used for each request. */
async function timed(one, body, clients, seconds) {
  const start = cpuOf(one.pid);
  const result = await drive(one, body, clients, seconds);
  return { ...result, cpu: (cpuOf(one.pid) - start) / result.count };
}

/** How much longer than a measurement a side runs before the first one, so that its code is compiled. */
const WARM = 2;

/** All ways in turn, `rounds` times. */
async function cell(ways, { size, stream, clients, seconds, rounds }) {
  const results = new Map(ways.map(({ label }) => [label, []]));
  for (let round = 0; round <= rounds; round++) {
    for (const one of ways) {
      const body = bodyOf(size, stream, one.url.endsWith(MESSAGES));
      try {
        if (round === 0) await drive(one, body, clients, seconds * WARM);
        else results.get(one.label).push(await timed(one, body, clients, seconds));
      } catch (error) {
        results.get(one.label).push({ error: error.message });
      }
    }
  }
  return results;
}

function row(what, clients, label, results) {
  const { error } = results.find((one) => one.error) ?? {};
  if (error) return `| ${what} | ${clients} | ${label} | ${error} | | | |`;
  const figures = ["rps", "median", "p99", "cpu"].map((key) => median(results.map((one) => one[key])));
  const [rps, middle, p99, cpu] = figures;
  const used = Number.isNaN(cpu) ? "" : cpu.toFixed(0);
  return `| ${what} | ${clients} | ${label} | ${rps} | ${middle.toFixed(1)} | ${p99.toFixed(1)} | ${used} |`;
}

async function load(values, seconds, pids) {
  const ways = [...own.map((one) => ({ ...one, pid: pids[one.side] })), ...others(values)];
  const sizes = Object.entries(SIZES).filter(([name]) => !values.size || values.size.includes(name));
  const counts = values.clients ? values.clients.map(Number) : CLIENTS;
  console.log("| body | clients | side | requests/s | median ms | p99 ms | CPU µs |\n|---|---|---|---|---|---|---|");
  for (const [name, size] of sizes) {
    for (const stream of [false, true]) {
      for (const clients of counts) {
        const results = await cell(ways, { size, stream, clients, seconds, rounds: Number(values.rounds) });
        const what = `${name}, ${stream ? "streamed" : "whole"}`;
        for (const [label, all] of results) console.log(row(what, clients, label, all));
      }
    }
  }
}

const many = { type: "string", multiple: true };
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    ...{ size: many, clients: many, beside: many, header: many, pid: many },
    rounds: { type: "string", default: "1" },
    minutes: { type: "string" },
  },
});
const children = [];
try {
  if (values.minutes) {
    for (const name of ["upstream", "toolwire"]) children.push(await start(name, { args: ["--expose-gc"] }));
    await memory(children[1], Number(values.minutes));
  } else {
    const pids = {};
    for (const name of Object.keys(ports)) {
      const child = await start(name);
      children.push(child);
      pids[name] = child.pid;
    }
    await load(values, Number(positionals[0] ?? 2), pids);
  }
} finally {
  for (const one of children) one.kill();
}
