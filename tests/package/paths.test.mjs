// The path of every warning and error points to a value in the input, for every conversion.

import assert from "node:assert/strict";
import { test } from "node:test";
import { convertError, convertRequest, convertResponse, ToolwireError } from "../../pkg/dist/index.js";
import { dialects } from "../../scripts/lib/dialects.mjs";
import { inputsOfVectors } from "../../scripts/specs/bodies.mjs";

const functions = { request: convertRequest, response: convertResponse, error: convertError };
const targets = dialects.map(({ name }) => name);
/**
 * Warnings and errors without a position: about a missing field, or about a form in metadata that names a provider's field or its default.
 */
const noPlace = [
  "missing_field",
  "blank/openai-empty-arrays-are-dropped-with-a-warning-when-written",
  "ollama/absent-stream-means-streaming",
  "ollama/absent-stream-becomes-explicit-between-dialects",
  "responses-api/settings/absent-input-with-a-prompt",
];

test("paths lead into the input", () => {
  const inputs = inputsOfVectors().filter(({ name, kind }) => functions[kind] && !noPlace.includes(name));
  const astray = inputs.flatMap((input) =>
    targets.flatMap((to) =>
      checked(input, to)
        .filter(({ code, path }) => !noPlace.includes(code) && !leads(input.body, path))
        .map(({ code, path }) => `${input.name}, ${input.from} → ${to}: ${code} at ${path}`),
    ),
  );
  assert.deepEqual(astray, []);
});

function checked({ kind, from, body, options }, to) {
  const warnings = [];
  const onWarning = (warning) => warnings.push(warning);
  try {
    functions[kind](JSON.stringify(body), { ...options, from, to, onWarning });
  } catch (error) {
    assert.ok(error instanceof ToolwireError);
    warnings.push(error);
  }
  return warnings;
}

function leads(value, path) {
  const keys = path === "" ? [] : path.slice(1).split("/");
  let inner = value;
  return keys.every((key) => {
    const name = key.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof inner !== "object" || inner === null || !Object.hasOwn(inner, name)) return false;
    inner = inner[name];
    return true;
  });
}
