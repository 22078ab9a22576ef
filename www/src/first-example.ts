// The example that a first visit shows.

import type { Dialect } from "toolwire";
import text from "../examples/parallel-calls.json?raw";
import type { Settings } from "./engine/protocol.ts";
import { firstDescription } from "./first-description.ts";

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

export const firstExample: Example = { ...firstDescription, text };
