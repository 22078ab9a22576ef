// The payloads for the toolkit's benchmark.

export const parameters = {
  type: "object",
  properties: {
    query: { type: "string", minLength: 1, description: "What to look for" },
    limit: { type: "integer", minimum: 1, maximum: 50, description: "The most results" },
    sort: { type: "string", enum: ["new", "top"], description: "The order" },
  },
  required: ["query", "limit", "sort"],
  additionalProperties: false,
};

export const checkedCall = {
  id: "call_1",
  name: "search",
  arguments: { query: "the weather in Zürich", limit: 10, sort: "new" },
};

/** Text of about this size with typical mistakes of models: single quotes, unquoted keys, trailing commas, Python's literals. */
export function repairText(size) {
  const item = (index) =>
    `{id: ${index}, 'name': 'item number ${index}', "active": True, tags: ["a", "b",], note: "it's \\"quoted\\"",}`;
  const items = [];
  for (let length = 0; length < size; length += items.at(-1).length + 2) items.push(item(items.length));
  return `{"items": [${items.join(", ")}],}`;
}
