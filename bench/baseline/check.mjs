// Checks that the baseline does the same work as the package: the same output, and the same warnings at the same paths.

import { meaning } from "../peers/differences.mjs";
import { demandSame } from "../processes.mjs";
import { requests, responses } from "./corners.mjs";
import { requestToAnthropic } from "./request.mjs";
import { responseToOpenAI } from "./response.mjs";

/** Throws if the baseline does other work. `payloads`: those that are timed. */
export function checkBaseline(toolwire, payloads) {
  const corners = [
    ...Object.entries(requests).map(([name, body]) => [name, "request", body]),
    ...Object.entries(responses).map(([name, body]) => [name, "response", body]),
    ...Object.entries(payloads).map(([name, { kind, make }]) => [name, kind, make()]),
  ];
  for (const [name, kind, body] of corners) {
    demandSame(name, ours(toolwire, kind, structuredClone(body)), byHand(kind, structuredClone(body)));
  }
}

function ours(toolwire, kind, body) {
  const warnings = [];
  const onWarning = ({ code, path }) => warnings.push({ code, path });
  if (kind === "request") {
    return outcome(
      toolwire.convertRequest(body, { from: "openai", to: "anthropic", bookkeeping: true, onWarning }),
      warnings,
    );
  }
  return outcome(
    toolwire.convertResponse(body, { from: "anthropic", to: "openai", bookkeeping: true, onWarning }),
    warnings,
  );
}

function byHand(kind, body) {
  const warnings = [];
  const convert = kind === "request" ? requestToAnthropic : responseToOpenAI;
  return outcome(convert(body, warnings), warnings);
}

/** Generated ids are named by their order, hashes in names are left out, and warnings are sorted by path. */
function outcome(output, warnings) {
  const made = new Map();
  const text = JSON.stringify(output).replace(/"(?:tw_|made_)[^"]*"/g, (id) => {
    if (!made.has(id)) made.set(id, `"id ${made.size}"`);
    return made.get(id);
  });
  const named = text.replace(/("name":"[^"]*_)[0-9A-Za-z]{6}"/g, '$1hash"');
  const warned = warnings.map(({ code, path }) => `${path} ${code}`).sort();
  return { output: meaning(JSON.parse(named)), warned };
}
