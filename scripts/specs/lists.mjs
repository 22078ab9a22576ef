// The two committed lists, and that nothing on them is out of date.

import { readFileSync } from "node:fs";
import { makeValidator } from "./validators.mjs";

const read = (name) => JSON.parse(readFileSync(new URL(name, import.meta.url), "utf8"));

/** Where a description is behind its provider: `{ spec, where, change, why, source }`, see deviations.mjs. */
export const deviations = read("deviations.json");
/** Vectors that show what is not valid on purpose: `{ name, to, why }`. */
export const exceptions = read("exceptions.json");

/** A deviation is needed if a valid body is not valid without it. */
export function checkLists(components, report) {
  for (const deviation of deviations.filter(({ change }) => !change.component)) {
    const { spec, where, why } = deviation;
    const others = deviations.filter((other) => other !== deviation);
    const validate = makeValidator(components, others, [spec]);
    const needed = report.valid.some(
      ({ dialect, kind, body }) => dialect === spec && validate(dialect, kind, body).length > 0,
    );
    if (!needed) report.unused("deviations.json", `${spec} ${where}: ${why}`);
  }
  for (const exception of exceptions) {
    if (!report.usedExceptions.has(exception)) report.unused("exceptions.json", `${exception.name} to ${exception.to}`);
  }
}
