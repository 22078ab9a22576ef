// The conversation: what the upstream responds, in the form of `../package/support/gateway/scenarios.mjs`.

import { playedBy } from "../package/support/gateway/scenarios.mjs";

export const DONE = "All is done.";
export const WRITTEN = "written by the agent";
export const SUMMARY = "The file is written; go on.";
/** What the results of the calls contain: before the conversation is compacted, and after. */
export const RESULTS = { before: ["one-1", "two-2", "no_such_tool", WRITTEN], after: ["three-3"] };

/** Tokens in the context at which an agent compacts the conversation by itself, and those that the upstream counts then. */
export const COMPACT_AT = 100_000;
const FULL = { input: 180_000, output: 34 };

/** The steps for a client that works in the folder `cwd`. A client without `compacts` does not compact the conversation. */
export function scriptOf({ tools, compacts }, upstream, cwd) {
  let count = 0;
  const call = ([name, input]) => {
    const text = JSON.stringify(input);
    count += 1;
    return { type: "call", id: `call_${count}`, name, pieces: [text.slice(0, 9), text.slice(9)] };
  };
  const text = (...pieces) => ({ type: "text", pieces });
  const reasoning = { type: "reasoning", pieces: ["I look ", "first."], signature: "c2lnbmF0dXJl" };
  const calls = (...blocks) => ({ blocks, finish: "tool_calls" });
  const ends = (...pieces) => ({ blocks: [text(...pieces)] });
  const refused = (status, message) => ({ error: { status, message } });
  const overflow = { error: { status: 400, message: "too long", contextLength: { used: 210_000, limit: 200_000 } } };
  const summary = { ...ends("<analysis>All of it.</analysis>\n", `<summary>${SUMMARY}</summary>`), isSummary: true };
  const steps = [
    calls(reasoning, text("I ", "look."), call(tools.shell("echo one-1")), call(tools.shell("echo two-2"))),
    refused(429, "Not so fast"),
    calls(call(tools.write(cwd, "new.txt", WRITTEN))),
    refused(529, "Overloaded"),
    calls(call(tools.image(cwd, "dot.png"))),
    calls(call(["no_such_tool", { a: 1 }])),
    calls(call(tools.rejected(cwd, "new.txt"))),
    { ...calls(text("I read what I wrote."), call(tools.shell("cat new.txt"))), reset: true },
    calls(text("I read it again."), call(tools.shell("cat new.txt"))),
    ...(compacts === "at an error" ? [overflow] : []),
    ...(compacts ? [summary] : []),
    calls(reasoning, call(tools.shell("echo three-3"))),
    ends("All is ", "done."),
  ];
  // the step before the summary
  const full = steps.indexOf(summary) - 1;
  if (compacts === "by usage") steps[full] = { ...steps[full], usage: FULL };
  const answers = steps.filter(({ error }) => !error);
  const played = playedBy(upstream, { answers }).answers.map((answer, index) => ({ ...answer, id: `answer_${index}` }));
  return steps.map((step) => (step.error ? step : played.shift()));
}
