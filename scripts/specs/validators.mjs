// Creates the validators of request, response and error bodies from the descriptions and the deviations.

import Ajv2020 from "ajv/dist/2020.js";
import { closedSchema } from "./close.mjs";
import { descriptions } from "./descriptions.mjs";
import { withDeviations } from "./deviations.mjs";
import { complaints } from "./explain.mjs";

/** The formats that are validated. Others (`uri`, `unixtime`, …) are irrelevant to conversions. */
const formats = {
  int64: /^-?\d{1,19}$/,
  uint64: /^\d{1,20}$/,
  byte: (text) => /^[\w+/-]*={0,2}$/.test(text),
};

/** `(dialect, kind, body) → complaints`, for the description of one dialect or of all. */
export function makeValidator(components, deviations, dialects = Object.keys(components)) {
  const validators = {};
  for (const dialect of dialects) {
    const own = deviations.filter(({ spec }) => spec === dialect);
    const changed = withDeviations(components[dialect], own);
    for (const kind of ["request", "response", "event", "error"]) {
      const ajv = new Ajv2020({
        allErrors: true,
        strict: false,
        verbose: true,
        formats,
        logger: false,
        unicodeRegExp: false,
      });
      validators[`${dialect} ${kind}`] = ajv.compile(closedSchema(changed, descriptions[dialect][kind]));
    }
  }
  return (dialect, kind, body) => {
    const validate = validators[`${dialect} ${kind}`];
    return validate(body) ? [] : complaints(validate.errors);
  };
}
