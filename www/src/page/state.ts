// What the page shows, and who wants to know.

import type { Dialect } from "toolwire";
import type { Kind, Settings } from "../engine/protocol.ts";

/** `all` is side by side; a format is its output alone. */
export type View = "play" | "all" | "roundTrip" | Dialect;

export interface State {
  text: string;
  /** Undefined: detected. */
  from?: Dialect | undefined;
  kind?: Kind | undefined;
  settings: Settings;
  /** Undefined: what suits the kind. */
  view?: View | undefined;
  /** The format that the stream is played to and the code converts to. */
  target?: Dialect | undefined;
  /** The format that the round trip goes through. */
  via?: Dialect | undefined;
  /** The example that the text is, while it is unchanged. */
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
