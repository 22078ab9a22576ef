// One line for each request: text, or JSON.

import { Requests } from "./requests.js";

/** Listens to a gateway, and prints each request when it is delivered. */
export function requestLog(form) {
  const requests = new Requests();
  const print = form === "json" ? (facts) => JSON.stringify(facts) : lineOf;
  return {
    onExchange(event) {
      const { requestId, stage, model, upstream, attempt } = event;
      const facts = requests.of(requestId);
      if (stage === "sent") Object.assign(facts, { upstreamModel: model, upstream, attempts: attempt });
      if (stage === "failed") facts.error = event.error?.message;
      const isOver = stage === "delivered" || (stage === "failed" && event.status === 499);
      if (!isOver) return;
      requests.end(requestId);
      console.log(print(summaryOf(event, facts)));
    },
    onWarning({ code, path }, { requestId }) {
      requests.of(requestId).lost.add(`${code} ${path}`);
    },
  };
}

function summaryOf(event, { upstreamModel, attempts = 0, lost, error }) {
  const { requestId, client, from, upstream, to, model, status, firstByteMs, durationMs, usage } = event;
  return {
    time: new Date().toISOString(),
    ...{ requestId, client, from, upstream, to, model, upstreamModel, status, attempts },
    firstByteMs: rounded(firstByteMs),
    durationMs: rounded(durationMs),
    ...(usage && { usage: { input: usage.input, output: usage.output } }),
    ...(lost.size > 0 && { lost: [...lost] }),
    ...(status >= 400 && { error: event.error?.message ?? error }),
  };
}

const rounded = (ms) => (ms === undefined ? undefined : Math.round(ms));
const seconds = (ms) => `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`;
const colours = { red: 31, yellow: 33, green: 32, grey: 90 };

function painted(colour, text) {
  return process.stdout.isTTY ? `\u001b[${colours[colour]}m${text}\u001b[0m` : text;
}

function lineOf(facts) {
  const { time, client, from, to, upstream, model, upstreamModel, status, firstByteMs, durationMs, usage, lost } =
    facts;
  const name = [client, from].filter(Boolean).join(" ");
  const route = to ? `${name} → ${upstream} ${to}` : name;
  const isSame = upstreamModel === undefined || upstreamModel === model;
  const models = isSame ? (model ?? "") : `${model ?? "?"} → ${upstreamModel}`;
  const times = [
    firstByteMs === undefined ? [] : [`first ${seconds(firstByteMs)}`],
    `total ${seconds(durationMs ?? 0)}`,
  ];
  const tokens = usage ? [`${usage.input ?? "?"} in, ${usage.output ?? "?"} out`] : [];
  return [
    painted("grey", time.slice(11, 19)),
    route,
    models,
    painted(status < 400 ? "green" : "red", String(status)),
    times.flat().join(", "),
    ...tokens,
    ...(lost ? [painted("yellow", `lost: ${shortened(lost)}`)] : []),
    ...(facts.error ? [painted("red", shortText(facts.error))] : []),
  ]
    .filter((part) => part !== "")
    .join("  ");
}

const MOST_LOSSES = 4;
const LONGEST = 200;

function shortened(lost) {
  const shown = lost.slice(0, MOST_LOSSES).join(", ");
  return lost.length > MOST_LOSSES ? `${shown}, and ${lost.length - MOST_LOSSES} more` : shown;
}

const shortText = (text) => {
  const line = text.replace(/\s+/g, " ");
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
};
