// A run of an agent as a Durable Object. Each request to the model and each call of a tool is one invocation of its alarm; between two of
// them, everything is in storage. An alarm that does not end is repeated, so each invocation first stores what it is about to do.

import { DurableObject } from "cloudflare:workers";
import { resumeAgent, runAgent, sendTo, Toolkit } from "toolwire/toolkit";
import { toolsOf } from "./tools.js";

export class AgentRun extends DurableObject {
  #tools = toolsOf(this.env);

  /** Starts the run, unless it has been started. */
  async start(task) {
    if (await this.ctx.storage.get("run")) return;
    await this.#store({ status: "running", messages: [{ role: "user", content: task }], calls: [], invocations: 0 });
    await this.ctx.storage.setAlarm(Date.now());
  }

  /** `waiting` has the calls that a person must decide about. */
  async view() {
    const run = await this.ctx.storage.get("run");
    if (!run) return undefined;
    const { status, text, invocations, messages, calls } = run;
    const waiting = calls.filter(isWaiting).map(({ call, status }) => ({ ...call, status }));
    return { status, text, invocations, messages, waiting };
  }

  /** Decisions by call id. The first decision about a call counts. */
  async decide(decisions) {
    const run = await this.ctx.storage.get("run");
    for (const entry of run.calls.filter(isWaiting)) {
      const decision = decisions[entry.call.id];
      if (decision === undefined) continue;
      if (entry.status === "unapproved") entry.decision = decision;
      else if (decision === true) entry.status = "ready";
      else Object.assign(entry, { status: "ended", result: unknownResult(entry.call) });
    }
    await this.#store(run);
    await this.ctx.storage.setAlarm(Date.now());
  }

  async alarm() {
    const run = await this.ctx.storage.get("run");
    const entry = run.calls.find(({ status }) => status === "ready" || status === "started");
    if (entry) await this.#call(run, entry);
    else if (run.status === "running" && !run.calls.some(isWaiting)) await this.#request(run);
    else return;
    run.invocations++;
    await this.#store(run);
    await this.ctx.storage.setAlarm(Date.now() + Number(this.env.PAUSE_MS ?? 0));
  }

  /** Runs one call. */
  async #call(run, entry) {
    const { call, status } = entry;
    const isRepeatable = this.#tools.find(({ name }) => name === call.name).idempotent !== false;
    if (status === "started" && !isRepeatable) {
      // it is unknown whether the call had its effect: a person decides
      entry.status = "interrupted";
      return;
    }
    entry.status = "started";
    await this.#store(run);
    const toolkit = new Toolkit(this.#tools);
    // the session is part of the idempotency key, and a model may use the id of a call again in a later turn
    const options = { sessionId: `${this.ctx.id}/${run.turn}`, approve: () => true };
    const [{ result }] = await toolkit.run([call], options);
    Object.assign(entry, { status: "ended", result });
  }

  /** Sends one request. Its calls stay pending, because these tools have no `execute`. */
  async #request(run) {
    const { PROVIDER, MODEL, API_KEY, PROVIDER_URL } = this.env;
    const options = {
      request: { model: MODEL, messages: run.messages },
      toolkit: new Toolkit(this.#tools.map(({ execute, ...tool }) => tool)),
      send: sendTo({ to: PROVIDER, apiKey: API_KEY, baseUrl: PROVIDER_URL }),
      maxIterations: 30,
      timeoutMs: 600_000,
      stopWhen: () => true,
      onState: (state, messages) => this.#store(Object.assign(run, { state, messages })),
    };
    const results = run.calls.flatMap(({ result }) => result ?? []);
    const decisions = Object.fromEntries(run.calls.map(({ call, decision }) => [call.id, decision]));
    const outcome = run.state
      ? await resumeAgent({ ...options, state: run.state, results, decisions })
      : await runAgent(options);
    const { reason, text, executions, iterations } = outcome;
    const pending = executions.filter(({ status }) => status === "external" || status === "unapproved");
    run.calls = pending.map(({ call, status }) => ({ call, status: status === "external" ? "ready" : status }));
    run.turn = iterations;
    if (!["external", "unapproved", "stopped"].includes(reason)) Object.assign(run, { status: reason, text });
  }

  async #store(run) {
    await this.ctx.storage.put("run", run);
    await this.ctx.storage.sync();
  }
}

/** Whether a person must decide about a call: before it runs, or because it was interrupted. */
function isWaiting({ status, decision }) {
  return status === "interrupted" || (status === "unapproved" && decision === undefined);
}

function unknownResult({ id, name }) {
  const error = "The call was interrupted. It is unknown whether it had an effect, and it was not repeated.";
  return { toolCallId: id, name, kind: "data", isError: true, value: { error, error_type: "interrupted" } };
}
