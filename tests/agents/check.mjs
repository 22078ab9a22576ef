// What the upstream must have received, and what may be lost on the way.

import { brokenPrefixes } from "../package/support/gateway/prefix.mjs";
import { IMAGE } from "../package/support/gateway/scenarios.mjs";
import { RESULTS, SUMMARY } from "./script.mjs";

/** Losses that agents cause in every conversation, with their reasons. Anything else is a problem. */
export const KNOWN_LOSSES = [
  {
    code: "native_dropped",
    path: /^\/tools\/\d+$/,
    reason: "tools that only OpenAI's servers run, such as web_search",
  },
  { code: "setting_dropped", path: /verbosity$/, reason: "other providers have no setting for the length of texts" },
  { code: "setting_changed", path: /effort$/, reason: "the model has no such effort; the nearest one is sent" },
  { code: "setting_dropped", path: /effort$/, reason: "the model does not reason" },
  { code: "setting_dropped", path: /top[KP]$/, reason: "OpenAI has no topK, and models that reason refuse both" },
  { code: "setting_dropped", path: /thinking\/display$/, reason: "Ollama returns the reasoning of models that reason" },
  { code: "stream_truncated", path: /^/, reason: "the upstream breaks off one of its responses" },
  {
    code: "call_dropped",
    path: /tool_calls/,
    reason: "it breaks off within a call, which clients of Gemini would run",
  },
  { code: "field_dropped", path: /^\/error\/param$/, reason: "Anthropic's errors name no parameter" },
  { code: "api_refused", path: /^$/, reason: "Chat Completions refuses tools of GPT-5.4 and later while they reason" },
];

const isKnown = ({ code, path }) => KNOWN_LOSSES.some((known) => known.code === code && known.path.test(path));

const isSummary = ({ step }) => step?.isSummary === true;

/** The problems of a conversation, which has two parts if the client compacts it: what requests lack, prefixes that changed, and unknown losses. */
export function problemsOf(requests, warnings) {
  const [first, last] = [requests.findIndex(isSummary), requests.findLastIndex(isSummary)];
  const [before, after] = [
    [...RESULTS.before, IMAGE],
    [...RESULTS.after, SUMMARY],
  ];
  const parts =
    first < 0
      ? [{ all: requests, needs: [...before, ...RESULTS.after] }]
      : [
          { all: requests.slice(0, first), needs: before },
          { all: requests.slice(last + 1), needs: after },
        ];
  const losses = warnings.filter((warning) => warning.lossy && !isKnown(warning));
  const lines = losses.map(({ code, path, message }) => `loss: ${code} ${path.replaceAll(/\d+/g, "*")} ${message}`);
  return [
    ...parts.flatMap(({ all, needs }) => lacking(`request ${requests.indexOf(all.at(-1))}`, all.at(-1), needs)),
    ...parts.flatMap(({ all }) => brokenPrefixes(all.map(({ body }) => body))),
    ...new Set(lines),
  ];
}

function lacking(what, request, texts) {
  const sent = JSON.stringify(request?.body ?? {});
  return texts.filter((text) => !sent.includes(text)).map((text) => `${what} lacks ${text}`);
}
