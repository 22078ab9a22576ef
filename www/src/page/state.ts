// The state of the page, and its listeners.

import type { Dialect } from "toolwire";
import type { Kind, Settings } from "../engine/protocol.ts";

/** `one`: the output of the target. `all`: all outputs side by side. `matrix`: what becomes of each part, by target. */
export const views = ["one", "all", "matrix"] as const;
export type View = (typeof views)[number];

/**
 * How the target is shown: its text, its events one by one (streams), what comes back from it, or an exchange with its server (requests).
 */
export const modes = ["text", "play", "trip", "exchange"] as const;
export type Mode = (typeof modes)[number];

export interface State {
  text: string;
  /** Undefined: detected. */
  from?: Dialect | undefined;
  kind?: Kind | undefined;
  settings: Settings;
  view: View;
  /** Undefined: events for streams, or else the text. */
  mode?: Mode | undefined;
  /** Undefined: the first format of another provider. */
  target?: Dialect | undefined;
  /** What the server answers in the exchange. Undefined: an example. */
  answer?: string | undefined;
  /** The recording of the gateway that the source is from. */
  recorded?: Recorded | undefined;
  /** The example whose text is shown, until it is changed. */
  example?: string | undefined;
  /** What was pasted, if the text was read from it. */
  pasted?: Pasted | undefined;
}

/** Recorded exchanges, of which one is shown. */
export interface Recorded {
  exchanges: RecordedExchange[];
  index: number;
}

/** The bodies of an exchange, as far as they were recorded. */
export interface RecordedExchange {
  id: string;
  received?: RecordedBody;
  sent?: RecordedBody;
  returned?: RecordedBody;
  delivered?: RecordedBody;
}

export interface RecordedBody {
  dialect: Dialect;
  text: string;
}

export interface Pasted {
  original: string;
  /** What the original is, and what was done to it. */
  steps: string[];
}

type Listener = (state: State, changed: ReadonlySet<keyof State>) => void;

const listeners: Listener[] = [];
let state: State = { text: "", settings: {}, view: "one" };

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

/** The fields that have changed since. */
export function changedSince(before: State): Partial<State> {
  return Object.fromEntries(Object.entries(state).filter(([key, value]) => before[key as keyof State] !== value));
}

export function onChange(listener: Listener): void {
  listeners.push(listener);
}

/** The state for another source: nothing is kept that was chosen for the one before, except where the user looks. */
export function newSource(text: string): Partial<State> {
  return {
    text,
    from: undefined,
    kind: undefined,
    settings: {},
    mode: undefined,
    answer: undefined,
    recorded: undefined,
    example: undefined,
    pasted: undefined,
  };
}
