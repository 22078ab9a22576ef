// What the upstream must have received, and what may be lost on the way.

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
  { code: "api_refused", path: /^$/, reason: "Chat Completions refuses tools of GPT-5.4 and later while they reason" },
];

const isKnown = ({ code, path }) => KNOWN_LOSSES.some((known) => known.code === code && known.path.test(path));

/** The problems of a conversation: what results lack, and unknown losses. */
export function problemsOf(requests, warnings) {
  const last = JSON.stringify(requests.at(-1)?.body ?? {});
  const missing = ["one-1", "two-2", "no_such_tool", "written by the agent"].filter((text) => !last.includes(text));
  const hasImage = /iVBORw0KGgo/.test(last);
  const losses = warnings.filter((warning) => warning.lossy && !isKnown(warning));
  const lines = new Set(
    losses.map(({ code, path, message }) => `loss: ${code} ${path.replaceAll(/\d+/g, "*")} ${message}`),
  );
  return [
    ...missing.map((text) => `the last request lacks ${text}`),
    ...(hasImage ? [] : ["the last request lacks the image"]),
    ...lines,
  ];
}
