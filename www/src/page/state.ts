// The state of the page, and its listeners.

import type { Dialect } from "toolwire";
import type { Kind, Settings } from "../engine/protocol.ts";

/** `all`: all outputs side by side. A format: only its output. */
export type View = "play" | "all" | "roundTrip" | Dialect;

export interface State {
  text: string;
  /** Undefined: detected. */
  from?: Dialect | undefined;
  kind?: Kind | undefined;
  settings: Settings;
  /** Undefined: the default view of the kind. */
  view?: View | undefined;
  /** The target of the played stream and of the code. */
  target?: Dialect | undefined;
  /** The intermediate format of the round trip. */
  via?: Dialect | undefined;
  /** The example whose text is shown, until it is changed. */
  example?: string | undefined;
}

type Listener = (state: State, changed: ReadonlySet<keyof State>) => void;

const listeners: Listener[] = [];
let state: State = { text: "", settings: {} };

export function current(): State {
  return state;
}

export function update(patch: Partial<State>): void {
  const keys = (Object.keys(patch) as (keyof State)[]).filter((key) => state[key] !== patch[key]);
  if (keys.length === 0) return;
  state = { ...state, ...patch };
  const changed = new Set(keys);
  for (const listener of listeners) listener(state, changed);
}

export function onChange(listener: Listener): void {
  listeners.push(listener);
}
