// Counts, durations, tokens and losses, as Prometheus text.

import type { Warning } from "toolwire";
import type { GatewayEvent } from "../types.js";

/** The upper bounds of durations, in seconds. */
const bounds = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];
/** Names of models come from clients, so that the number of their series is bounded. */
const MOST_SERIES = 2000;

type Labels = readonly (readonly [string, string])[];

class Series {
  readonly #values = new Map<string, number>();

  add(labels: Labels, value = 1): void {
    const key = labels.map(([name, value]) => `${name}="${escaped(value)}"`).join(",");
    const known = this.#values.get(key);
    if (known === undefined && this.#values.size >= MOST_SERIES) return;
    this.#values.set(key, (known ?? 0) + value);
  }

  lines(name: string): string[] {
    return [...this.#values].map(([labels, value]) => `${name}{${labels}} ${value}`);
  }
}

const escaped = (value: string) => value.replace(/[\\"\n]/g, (char) => (char === "\n" ? "\\n" : `\\${char}`));

export class Metrics {
  readonly #requests = new Series();
  readonly #attempts = new Series();
  readonly #tokens = new Series();
  readonly #losses = new Series();
  readonly #buckets = new Series();
  readonly #sums = new Series();
  readonly #counts = new Series();

  readonly count = (event: GatewayEvent): void => {
    const { stage, from, upstream = "", status = 0, durationMs, usage } = event;
    const at: Labels = [
      ["dialect", from],
      ["upstream", upstream],
    ];
    if (stage === "failed") this.#attempts.add([...at, ["status", String(status)]]);
    if (stage !== "delivered") return;
    this.#requests.add([...at, ["status", String(status)]]);
    if (usage?.input !== undefined) this.#tokens.add([...at, ["direction", "input"]], usage.input);
    if (usage?.output !== undefined) this.#tokens.add([...at, ["direction", "output"]], usage.output);
    if (durationMs !== undefined) this.#time(at, durationMs / 1000);
  };

  #time(at: Labels, seconds: number): void {
    for (const bound of bounds) this.#buckets.add([...at, ["le", String(bound)]], seconds <= bound ? 1 : 0);
    this.#buckets.add([...at, ["le", "+Inf"]]);
    this.#sums.add(at, seconds);
    this.#counts.add(at);
  }

  lost({ code }: Warning): void {
    this.#losses.add([["code", code]]);
  }

  toResponse(): Response {
    const duration = "toolwire_request_duration_seconds";
    const durations = [
      ...this.#buckets.lines(`${duration}_bucket`),
      ...this.#sums.lines(`${duration}_sum`),
      ...this.#counts.lines(`${duration}_count`),
    ];
    const families: [string, string, string, string[]][] = [
      ["toolwire_requests_total", "counter", "Requests of clients.", this.#requests.lines("toolwire_requests_total")],
      [
        "toolwire_failures_total",
        "counter",
        "Requests to upstreams that failed.",
        this.#attempts.lines("toolwire_failures_total"),
      ],
      ["toolwire_tokens_total", "counter", "Tokens that responses state.", this.#tokens.lines("toolwire_tokens_total")],
      ["toolwire_losses_total", "counter", "Lossy warnings by code.", this.#losses.lines("toolwire_losses_total")],
      [duration, "histogram", "Time until a response was delivered.", durations],
    ];
    const text = families.map(([name, type, help, lines]) =>
      [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines, ""].join("\n"),
    );
    return new Response(text.join(""), { headers: { "content-type": "text/plain; version=0.0.4; charset=utf-8" } });
  }
}
