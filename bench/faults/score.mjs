// The score of a run, by the same rule for every library:
//
// 0: the run did not end within its limit, left an unhandled rejection, ran the tool with arguments that are not among the expected ones
//    (or more often than expected), or presents another text than an expected one as the final response.
// 2: otherwise, if the run is complete and its text is an expected one.
// 1: otherwise, if it ended as incomplete, and what it states about that names the cause.
// 0: otherwise.

import { isDeepStrictEqual } from "node:util";

/** `seen`: what was observed of a run (worker.mjs). */
export function scoreOf(fault, seen) {
  if (!seen.hasEnded) return [0, "did not end"];
  if (seen.unhandled.length > 0) return [0, `unhandled rejection: ${seen.unhandled[0]}`];
  const wrong = seen.runs.find((args) => !fault.runs.some((expected) => isDeepStrictEqual(args, expected)));
  if (wrong) return [0, `the tool ran with ${JSON.stringify(wrong)}`];
  const isExcess = (args) => seen.runs.filter((other) => isDeepStrictEqual(args, other)).length > fault.most;
  if (fault.runs.some(isExcess)) return [0, `the tool ran ${seen.runs.length} times`];
  if (seen.isNormal) {
    return fault.answers.includes(seen.text)
      ? [2, "right response"]
      : [0, `ended as complete with ${JSON.stringify(seen.text)}`];
  }
  return fault.cause.test(seen.report) ? [1, "error that names the cause"] : [0, "error that does not name the cause"];
}
