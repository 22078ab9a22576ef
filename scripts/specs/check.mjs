// Validates every body that the package writes against the API description of its target.

import { descriptions } from "./descriptions.mjs";
import { areOf, isOfProvider, withoutOwn } from "./own.mjs";
import { asDescribed, canonicalOf, writtenTo } from "./writing.mjs";

/** Passes each body to `report`. `validate` is `(dialect, kind, body) → complaints`. */
export function checkBodies(toolwire, inputs, validate, report) {
  for (const input of inputs.filter(({ kind }) => kind !== "error" || toolwire.convertError)) {
    const canonical = canonicalOf(toolwire, input);
    for (const to of Object.keys(descriptions)) {
      const body = canonical && writtenTo(toolwire, to, input, canonical);
      if (body === undefined) report.refused();
      else judge({ toolwire, input, canonical, to, body, validate, report });
    }
  }
}

function judge({ toolwire, input, canonical, to, body, validate, report }) {
  const { kind } = input;
  const complaints = validate(to, kind, body);
  if (complaints.length === 0) {
    report.passed(to, kind, body);
    return;
  }
  const own = mayAnswerForItself(input, to, complaints, validate);
  const rest = own ? writtenTo(toolwire, to, input, withoutOwn(canonical, to)) : undefined;
  const left = rest === undefined ? complaints : validate(to, kind, rest);
  if (left.length === 0) report.ownState(to, kind, rest);
  else report.failed(input, to, left);
}

/** Whether the complaints may be about the target's own state in the input: it can't be validated, or has the same complaints itself. */
function mayAnswerForItself(input, to, complaints, validate) {
  const { from, kind, body } = input;
  if (from === "canonical" || from === "universal") return true;
  return isOfProvider(from, to) && areOf(complaints, validate(from, kind, asDescribed(body, from, input, body)));
}
