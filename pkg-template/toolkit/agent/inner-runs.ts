// The runs of calls that are agents. They are part of the state of the calling run: a crash or an approval continues them where they were.

import type { Message, ToolCall, ToolResult, Usage } from "toolwire";
import type { Budget } from "../budget.js";
import type { AnyCall, Decision, RunOptions } from "../execution.js";
import { Waiting } from "../turn.js";
import { addUsage, leftOf } from "../usage.js";
import type { LedgerCall } from "./machine.js";
import type { AgentOutcome, AgentState } from "./outcome.js";
import type { AgentRun, RunSettings } from "./run.js";

/** A run that is under way. */
export interface Child {
  readonly state: AgentState;
  readonly messages: Message[];
}

type Start = (settings: RunSettings, state: AgentState | undefined) => Promise<AgentOutcome>;

const isPending = ({ status }: LedgerCall) => status === "unapproved" || status === "external";
/** The id by which the caller of a run knows a call of an inner run. */
const idWithin = (id: string, inner: string) => `${id}/${inner}`;

export class InnerRuns {
  readonly #run: AgentRun;
  readonly #start: Start;
  readonly #children: Map<string, Child>;

  constructor(run: AgentRun, state: AgentState | undefined, start: Start) {
    this.#run = run;
    this.#start = start;
    this.#children = new Map(Object.entries(childrenOf(state)));
  }

  /** Whether the run of a call is under way. */
  has(id: string): boolean {
    return this.#children.has(id);
  }

  ended(id: string): void {
    this.#children.delete(id);
  }

  /** Whether the caller has decided on a call of an inner run, or has its result. */
  isAnswered(id: string): boolean {
    const { decisions = {}, results = [] } = this.#run.options;
    return [...Object.keys(decisions), ...results.map(({ toolCallId }) => toolCallId)].some((each) =>
      each.startsWith(idWithin(id, "")),
    );
  }

  /** The `children` field of the state. */
  get state(): Pick<AgentState, "children"> {
    return this.#children.size > 0 ? { children: Object.fromEntries(this.#children) } : {};
  }

  /**
   * Runs an agent for a call, or continues its run.
   *
   * @throws Waiting if calls of the run wait
   */
  async perform(call: AnyCall, runId: string, given: RunSettings, budget: Budget): Promise<AgentOutcome> {
    const { id } = call;
    const saved = this.#children.get(id);
    if (saved) budget.spend(totalsOf(saved.state).cost);
    const settings: RunSettings = {
      ...given,
      // the calling run signs the whole state
      secret: undefined,
      claimState: undefined,
      approve: given.approve ?? this.#approve(id),
      maxUsage: leftOf(given.maxUsage, this.#run.options.maxUsage, this.#run.machine.state.usage as Usage),
      onState: this.#onState(id, given.onState),
      ...(saved && this.#resumed(id, saved, given)),
      inner: { runId, budget },
    };
    const outcome = await this.#start(settings, saved?.state);
    if (outcome.reason !== "unapproved" && outcome.reason !== "external") return outcome;
    this.#children.set(id, { state: outcome.state, messages: outcome.messages });
    throw new Waiting(outcome.reason);
  }

  #resumed(id: string, { state, messages }: Child, { request }: RunSettings): Partial<RunSettings> {
    const { decisions = {}, results = [] } = this.#run.options;
    const prefix = idWithin(id, "");
    const own = <Value>(entries: [string, Value][]) =>
      entries.flatMap(([key, value]) => (key.startsWith(prefix) ? [[key.slice(prefix.length), value] as const] : []));
    const ofResults = own<ToolResult>(results.map((result) => [result.toolCallId, result]));
    return {
      request: { ...request, messages },
      state,
      decisions: Object.fromEntries(own<Decision>(Object.entries(decisions))),
      results: ofResults.map(([toolCallId, result]) => ({ ...result, toolCallId })),
    };
  }

  /** The decisions of the calling run. Waiting for them is not active time. */
  #approve(id: string): RunOptions<unknown>["approve"] {
    const { options, deadline, emit } = this.#run;
    const { approve } = options;
    if (!approve) return undefined;
    return async (inner, tool) => {
      const call: ToolCall = { ...inner, id: idWithin(id, inner.id) };
      emit({ type: "approval", call, tool });
      deadline.working(-1);
      try {
        return await deadline.person(() => approve(call, tool));
      } finally {
        deadline.working(1);
      }
    };
  }

  #onState(id: string, own: RunSettings["onState"]): RunSettings["onState"] {
    const run = this.#run;
    if (!run.options.onState) return own;
    return async (state, messages) => {
      await own?.(state, messages);
      // the end of the run is the end of the call
      if ((state.phase as { type: string }).type === "ended") return;
      this.#children.set(id, { state, messages: [...messages] });
      await run.save();
    };
  }
}

function childrenOf(state: AgentState | undefined): Readonly<Record<string, Child>> {
  return state?.children ?? {};
}

/** The calls of a state that wait, with those of inner runs in place of the calls that are agents. */
export function pendingCalls(state: AgentState): ToolCall[] {
  return (state.calls as LedgerCall[]).filter(isPending).flatMap(({ call }) => {
    const child = childrenOf(state)[call.id];
    if (!child) return [call as ToolCall];
    return pendingCalls(child.state).map((inner) => ({ ...inner, id: idWithin(call.id, inner.id) }));
  });
}

/** The ids of the decisions that a caller passes on the calls of a state. They differ for each start of a call. */
export function decisionIds(state: AgentState, decisions: Readonly<Record<string, unknown>>, prefix = ""): string[] {
  const calls = state.calls as LedgerCall[] | undefined;
  return (calls ?? []).flatMap(({ call, status, idempotencyKey, starts = 0 }) => {
    const id = prefix + call.id;
    const child = childrenOf(state)[call.id];
    if (child) return decisionIds(child.state, decisions, idWithin(id, ""));
    const isDecided = Object.hasOwn(decisions, id) && (status === "unapproved" || status === "started");
    return isDecided ? [`${idempotencyKey}:${starts}`] : [];
  });
}

/** Cost and usage of a run, with those of inner runs that are under way. */
export function totalsOf(state: AgentState): { cost: number; usage: Usage } {
  let { cost, usage } = state as unknown as { cost: number; usage: Usage };
  for (const child of Object.values(childrenOf(state))) {
    const inner = totalsOf(child.state);
    cost += inner.cost;
    usage = addUsage(usage, inner.usage);
  }
  return { cost, usage };
}
