// Reads a stream piece by piece: the events of each piece, and the output for a client of another provider.

import { type Conversion, convertStream, readStream, type Warning } from "toolwire";
import { ofError, ofWarning } from "./findings.ts";
import { framesOf } from "./frames.ts";
import type { Finding, Step, Tasks } from "./protocol.ts";
import { shownIn } from "./streams.ts";

export type Played = Omit<Tasks["play"]["result"], "identity">;

export function play(text: string, conversion: Conversion): Played {
  const steps: Step[] = [];
  const findings: Finding[] = [];
  try {
    const { response, warnings } = playAll(text, conversion, steps);
    findings.push(...warnings.map(ofWarning));
    return { steps, findings, response };
  } catch (error) {
    findings.push(ofError(error));
    return { steps, findings };
  }
}

function playAll(text: string, { to, ...options }: Conversion, steps: Step[]) {
  const reader = readStream(options);
  const converter = convertStream({ ...options, to });
  const encoder = new TextEncoder();
  const decoded = shownIn(to);
  for (const { from, to: end } of framesOf(text)) {
    const step: Step = { wire: { from, to: end }, events: [], output: "" };
    steps.push(step);
    const piece = encoder.encode(text.slice(from, end));
    step.events = reader.push(piece);
    step.output = decoded(converter.push(piece));
  }
  const last = { events: reader.end(), output: decoded(converter.finish()) };
  if (last.events.length > 0 || last.output !== "") steps.push(last);
  const response = reader.finish();
  const warnings: Warning[] = converter.warnings;
  reader.free();
  converter.free();
  return { response, warnings };
}
