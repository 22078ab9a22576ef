// Summarizes a validator's errors: the paths, and what is wrong there.

const summaries = new Set(["anyOf", "if"]);

/** `[{ path, problem, rule }]`. Of the failed branches of a union, only those that matched furthest are reported. */
export function complaints(errors) {
  const unions = new Set(errors.filter(({ keyword }) => keyword === "anyOf").map(({ instancePath }) => instancePath));
  const real = errors.filter(({ keyword }) => !summaries.has(keyword));
  const goesDeeper = (path) => real.some(({ instancePath }) => instancePath.startsWith(`${path}/`));
  const shown = real.filter(({ instancePath }) => !(unions.has(instancePath) && goesDeeper(instancePath)));
  const found = new Map();
  for (const error of shown) {
    const complaint = { path: error.instancePath, problem: problemOf(error), rule: ruleOf(error) };
    found.set(`${complaint.path} ${complaint.problem}`, complaint);
  }
  return [...found.values()];
}

/** A path without indices. */
export function placeOf(path) {
  return path.replace(/\/\d+(?=\/|$)/g, "/*");
}

/** The violated rule, without values. */
function ruleOf({ keyword, params }) {
  return [keyword, params.additionalProperty ?? params.unevaluatedProperty ?? params.missingProperty].join(" ");
}

function problemOf({ keyword, params, message, data }) {
  if (keyword === "additionalProperties") return `unknown field ${params.additionalProperty}`;
  if (keyword === "unevaluatedProperties") return `unknown field ${params.unevaluatedProperty}`;
  if (keyword === "required") return `field ${params.missingProperty} is missing`;
  if (keyword === "enum") return `${show(data)} is not one of ${show(params.allowedValues)}`;
  if (keyword === "const") return `${show(data)} is not ${show(params.allowedValue)}`;
  return `${message}: ${show(data)}`;
}

function show(value) {
  const text = JSON.stringify(value);
  return text.length > 120 ? `${text.slice(0, 117)}…` : text;
}
