// The conversation: what the upstream responds, in the form of `../package/support/gateway/scenarios.mjs`.

import { playedBy } from "../package/support/gateway/scenarios.mjs";

export const DONE = "All is done.";
export const WRITTEN = "written by the agent";

/** The steps for a client that works in the folder `cwd`. */
export function scriptOf({ tools }, upstream, cwd) {
  let count = 0;
  const call = ([name, input]) => {
    const text = JSON.stringify(input);
    count += 1;
    return { type: "call", id: `call_${count}`, name, pieces: [text.slice(0, 9), text.slice(9)] };
  };
  const text = (...pieces) => ({ type: "text", pieces });
  const reasoning = { type: "reasoning", pieces: ["I look ", "first."], signature: "c2lnbmF0dXJl" };
  const calls = (...blocks) => ({ blocks, finish: "tool_calls" });
  const answers = [
    calls(reasoning, text("I ", "look."), call(tools.shell("echo one-1")), call(tools.shell("echo two-2"))),
    calls(call(tools.write(cwd, "new.txt", WRITTEN))),
    calls(call(tools.image(cwd, "dot.png"))),
    calls(call(["no_such_tool", { a: 1 }])),
    calls(call(tools.shell("cat new.txt"))),
    { blocks: [text("All is ", "done.")] },
  ];
  const { answers: played } = playedBy(upstream, { answers });
  const [first, second, third, ...rest] = played;
  return [
    first,
    { error: { status: 429, message: "Not so fast" } },
    second,
    { error: { status: 529, message: "Overloaded" } },
    third,
    ...rest,
  ];
}
