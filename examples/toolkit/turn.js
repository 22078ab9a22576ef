// One turn of a model with seven calls, each with a different outcome.

/** As `fromOpenAI` and its siblings return them: `toolCalls`, and `invalidToolCalls` whose arguments are no JSON object. */
export const calls = [
  // Python instead of JSON: repaired.
  call("call_1", "calculator", "{'expression': '(1 + 2) * 3', 'digits': None,}"),
  // Text instead of a number, and a unit in capitals: coerced.
  call("call_2", "convert_length", { value: "26.2", from: "Mile", to: "km" }),
  // A tool that does not exist, but has a name like that.
  call("call_3", "count_prime", { limit: 100 }),
  // An unknown city: the schema of the MCP tool lists the known ones.
  call("call_4", "weather_get-structured-content", { location: "Atlantis" }),
  // Valid, but the tool fails.
  call("call_5", "calculator", { expression: "1 / (2 - 2)" }),
  // Valid, but it would take hours: stopped by its time limit.
  call("call_6", "count_primes", { limit: 100_000_000 }),
  // Valid, but a person rejects it.
  call("call_7", "delete_note", { title: "taxes" }),
];

function call(id, name, args) {
  return typeof args === "string"
    ? { id, name, rawArguments: args, error: "the arguments are not JSON" }
    : { id, name, arguments: args };
}
