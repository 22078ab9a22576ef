// The tools and the text that the section of text begins with.

export const exampleTools = JSON.stringify(
  [
    {
      name: "get_weather",
      description: "Returns the forecast for a city, by day.",
      parameters: {
        type: "object",
        properties: { city: { type: "string" }, days: { type: "integer", minimum: 1, maximum: 7 } },
        required: ["city"],
      },
    },
    {
      name: "get_fare",
      description: "Returns the price of a train ticket.",
      parameters: {
        type: "object",
        properties: { from: { type: "string" }, to: { type: "string" } },
        required: ["from", "to"],
      },
    },
  ],
  undefined,
  2,
);

export const exampleText = `<think>
The weather and the fare are independent: I look up both.
</think>
Let me look up both.
<tool_call>
{"name": "get_weather", "arguments": {"city": "Paris", "days": 2}}
</tool_call>
<tool_call>
{"name": "get_fare", "arguments": {"from": "Paris", "to": "Lyon"}}
</tool_call>`;
