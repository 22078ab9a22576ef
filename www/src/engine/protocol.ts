// The messages between the page and the worker.

import type { ChatResponse, Dialect, StreamEvent } from "toolwire";
import type { Reading } from "../paste/read.ts";

/** The kinds of input. */
export const kinds = [
  ...(["request", "response", "stream", "messages", "tools", "calls", "result", "schema", "error"] as const),
];
export type Kind = (typeof kinds)[number];

/** Whether a source of this kind is a part of a body. */
export const isPart = (kind: Kind) => !["request", "response", "stream", "error"].includes(kind);

/** A part of the source, as indices into its text. */
export interface Place {
  from: number;
  to: number;
}

/** A place in an output, and the one of the source that it came from, if it was not made. */
export interface Link {
  output: Place;
  source?: Place;
  how: "copied" | "decoded" | "joined" | "encoded" | "fitted" | "made" | "event" | "equal";
}

export type Severity = "error" | "lossy" | "note";

/** A warning or an error, with its place in the source. */
export interface Finding {
  severity: Severity;
  code: string;
  message: string;
  path: string;
  detail?: string;
  /** The format that is the reason: the target, or the source for what it does not define. */
  dialect?: Dialect;
  place?: Place;
}

/** The conversion options that the page offers. */
export type Settings = Record<string, string | number | boolean>;

export interface Source {
  text: string;
  from?: Dialect | undefined;
  kind?: Kind | undefined;
  settings: Settings;
}

/** The detected format and kind. `others` are the other formats that match. */
export interface Identity {
  from: Dialect;
  kind: Kind;
  others: Dialect[];
}

/** The result of one conversion: text, or findings that end with an error. */
export interface Outcome {
  to: Dialect;
  text?: string;
  findings: Finding[];
  /** How long the conversion took. */
  milliseconds?: number;
  /** How a converted request is sent. */
  call?: Call;
  /** What the API refuses of a request that is in its format already. */
  refused?: string[];
  /** How to convert a part of a body with the package's functions. */
  recipe?: Recipe;
}

/** Code: a request that contains the `piece`, and what to take of the one that was `converted`. */
export interface Recipe {
  body: string;
  take: string;
  /** The format of the request, if it is not that of the piece. */
  from?: Dialect;
}

/** `model` is the one in the converted request; `family` names its maker's family if it is known. */
export interface Call {
  path?: string;
  model?: string;
  family?: string;
}

/** One piece of the source's stream, its events, and the output for the target. */
export interface Step {
  wire?: Place;
  events: StreamEvent[];
  output: string;
}

/** One change of an argument, with the values as JSON. */
export interface ArgumentChange {
  kind: string;
  /** JSON Pointer. */
  path: string;
  from?: string;
  to?: string;
}

/** A call in the text of a model. `error` is the reason why its arguments are not JSON. */
export interface ReadCall {
  id: string;
  name: string;
  arguments: string;
  error?: string;
  place?: Place;
}

/** A fact about a model or a server. */
export interface Fact {
  name: string;
  value: string;
}

/** What happens in the run of an agent. A request is in the canonical format. */
export type AgentStep = { iteration: number } & (
  | { type: "request"; request: string }
  | { type: "response"; text: string; calls: ReadCall[] }
  | { type: "approval"; call: ReadCall }
  | { type: "repair"; problems: string[] }
  | { type: "result"; call: ReadCall; status: string; result: string; changes: string[] }
);

/** A text for a model or a server, or the reason why there is none. */
export interface WrittenText {
  text: string;
  warnings: string[];
  problem?: string;
}

export interface Tasks {
  convert: {
    task: { source: Source; targets: Dialect[] };
    result: { identity: Identity; outcomes: Outcome[] };
  };
  roundTrip: {
    task: { source: Source; via: Dialect };
    result: { identity: Identity; there: Outcome; back?: Outcome; original: string; verdict: Verdict };
  };
  play: {
    task: { source: Source; to: Dialect };
    result: { identity: Identity; steps: Step[]; findings: Finding[]; response?: ChatResponse };
  };
  /** `answer` is what the server answers, `returned` what the client gets of it, `context` what was restored. */
  exchange: {
    task: { source: Source; to: Dialect; answer?: string | undefined };
    result: {
      identity: Identity;
      to: Dialect;
      answer: string;
      returned?: string;
      findings: Finding[];
      context?: string;
    };
  };
  /** What the text is read from, if it is not to be taken as it is. */
  read: { task: { text: string }; result: { reading?: Reading } };
  /** What of the output came from where. Nothing for pieces of a body. */
  trace: {
    task: { text: string; identity: Identity; to: Dialect; settings: Settings };
    /** `targets`: the places of warnings in the output. */
    result: { output: string; links: Link[]; targets: { code: string; path: string; output?: Place }[] };
  };
  /** Likely problems of tool definitions, which are given as they were entered, and in the canonical format. */
  lint: { task: { source: string; tools: string }; result: { names: string[]; findings: Finding[] } };
  /** Checks the arguments of a call of a tool. `errorResult` is the error result that the model receives for a call that can't run. */
  check: {
    task: {
      tools: string;
      name: string;
      text: string;
      options: { coerce: boolean; clamp: boolean; repairJson: boolean };
    };
    result: {
      findings: Finding[];
      changes: ArgumentChange[];
      repairs: { message: string; place: Place }[];
      arguments?: string;
      errorResult?: string;
    };
  };
  /** The text formats, and the one of a model. */
  textFormats: {
    task: { model: string };
    result: { formats: { id: string; models: string[] }[]; format?: string };
  };
  /** What the text of a model says. `tools` are canonical definitions, or empty. */
  readText: {
    task: { text: string; format: string; tools: string };
    result: {
      format: string;
      text: string;
      reasoning?: string;
      calls: ReadCall[];
      warnings: string[];
      /** As a canonical response. */
      response: string;
    };
  };
  /** How tools are described to a model in text, and the grammar that its text follows. */
  writeText: {
    task: { tools: string; format: string; definitions: string; syntax: string };
    result: { prompt: WrittenText; grammar: WrittenText };
  };
  /** Runs an agent with a scripted model. `decisions` are those on calls that wait for approval, by id. */
  agent: {
    task: { script: string; decisions: Record<string, boolean> };
    result: {
      steps: AgentStep[];
      reason: string;
      message?: string;
      text: string;
      iterations: number;
      pending: ReadCall[];
    };
  };
  /** What models accept, by name. */
  modelFacts: {
    task: { names: string[]; to: Dialect; platform: string };
    result: { models: { name: string; family: string; isKnown: boolean; facts: Fact[] }[] };
  };
  /** What servers accept, for each format that they speak. */
  serverFacts: {
    task: { names: string[] };
    result: { servers: { name: string; to: Dialect; url?: string; key?: string; facts: Fact[] }[] };
  };
  /** The same JSON, indented. */
  indent: { task: { text: string }; result: { text?: string } };
}

/** `order`: the same JSON with keys in another order. `response`: a stream of other events, which are read as the same response. */
export type Verdict = "identical" | "order" | "response" | "different" | "failed";

export type TaskName = keyof Tasks;
export type Problem = { problem: string; findings: Finding[] };
/** A source of unknown kind has no result, only findings. */
export type Result<Name extends TaskName> = Tasks[Name]["result"] | Problem;

export interface Message<Name extends TaskName = TaskName> {
  id: number;
  name: Name;
  task: Tasks[Name]["task"];
}
/** The parts of the packed wasm, the last of which is undefined, or why there is none. */
export type Wasm = { part: Uint8Array | undefined } | { failure: string };
export interface Reply {
  id: number;
  result?: Result<TaskName>;
  failure?: string;
}

export function isProblem(result: object): result is Problem {
  return "problem" in result;
}
