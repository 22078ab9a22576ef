// Loads the two committed lists, and finds entries that are outdated.

import { readFileSync } from "node:fs";
import { makeValidator } from "./validators.mjs";

const read = (name) => JSON.parse(readFileSync(new URL(name, import.meta.url), "utf8"));

/** Corrections to outdated descriptions: `{ spec, where, change, why, source }`, see deviations.mjs. */
export const deviations = read("deviations.json");
/** Vectors whose output is intentionally invalid: `{ name, to, why }`. A name that ends with `/` is that of a folder. */
export const exceptions = read("exceptions.json");

/** A deviation is needed if some valid body is invalid without it. */
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
