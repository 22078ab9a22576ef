// The example that a first visit shows.

import type { Dialect } from "toolwire";
import text from "../examples/parallel-calls.json?raw";
import type { Settings } from "./engine/protocol.ts";

/** The view of the example, if not the usual one. */
export interface Setup {
  settings?: Settings;
  target?: Dialect;
}

export interface Example extends Setup {
  id: string;
  title: string;
  note: string;
  group: string;
  text: string;
}

export const firstExample: Example = {
  id: "parallel-calls",
  title: "Parallel calls",
  note: "Two calls in one turn, with their results in reverse order. Google requires the order of the calls.",
  group: "Calls and results",
  text,
};
