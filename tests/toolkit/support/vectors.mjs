// @ts-nocheck
// The vectors in tests/vectors/toolkit, run by the package. It imports nothing, so that it runs everywhere.

/** The cases that fail: `vectors` has the contents of the files, by name. */
export async function failures(toolkit, vectors) {
  const failed = [];
  for (const [file, { cases, tools }] of Object.entries(vectors)) {
    const run = { repair: repaired, results: shown }[file] ?? checked;
    for (const vector of cases) {
      const problem = await run(toolkit, vector, tools);
      if (problem !== undefined) failed.push(`${file}: ${vector.name ?? vector.input}: ${problem}`);
    }
  }
  return failed;
}

async function shown({ Toolkit, ToolError }, { call, output, throws, result }, tools) {
  const execute = () => {
    if (throws?.name === "ToolError") throw new ToolError(throws.message, { type: throws.type });
    if (throws) throw Object.assign(new Error(throws.message), { name: throws.name });
    return output;
  };
  const toolkit = new Toolkit(tools.map((tool) => ({ ...tool, execute })));
  const made = { id: "c", ...(call.rawArguments === undefined && { arguments: {} }), ...call };
  const [execution] = await toolkit.run([made]);
  const { toolCallId, name, ...rest } = execution.result;
  if (toolCallId !== "c" || name !== execution.call.name) return `is the result of ${name} ${toolCallId}`;
  return isSame(rest, result) ? undefined : `is shown as ${JSON.stringify(rest)}`;
}

function checked({ checkValue }, { schema, value, options, becomes, problems = [], changes = [] }) {
  const outcome = checkValue(schema, value, options);
  if (!isSame(outcome.value, becomes)) return `became ${JSON.stringify(outcome.value)}`;
  if (!isSame(outcome.changes, changes)) return `changes ${JSON.stringify(outcome.changes)}`;
  const fits = (problem, expected) => Object.entries(expected).every(([name, part]) => isSame(problem?.[name], part));
  const isFit =
    outcome.problems.length === problems.length &&
    problems.every((expected, at) => fits(outcome.problems[at], expected));
  return isFit ? undefined : `problems ${JSON.stringify(outcome.problems)}`;
}

function repaired({ repairJson, ToolkitError }, vector) {
  const { input, schema, value, text, others = [], truncated = false, error } = vector;
  try {
    const outcome = repairJson(input, schema === undefined ? undefined : { schema });
    if (error !== undefined) return `no ${error}`;
    if ("value" in vector && value !== null && !isSame(outcome.value, value))
      return `became ${JSON.stringify(outcome.value)}`;
    if (text !== undefined && outcome.text !== text) return `became ${outcome.text}`;
    if (!isSame(JSON.parse(outcome.text), outcome.value)) return "text and value differ";
    if (!isSame(outcome.others, others)) return `others ${JSON.stringify(outcome.others)}`;
    return outcome.truncated === truncated ? undefined : `truncated ${outcome.truncated}`;
  } catch (thrown) {
    return thrown instanceof ToolkitError && thrown.code === error ? undefined : String(thrown);
  }
}

/** Whether two values are equal as JSON, regardless of the order of fields. */
function isSame(a, b) {
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return a === b;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && isSame(a[key], b[key]));
}
