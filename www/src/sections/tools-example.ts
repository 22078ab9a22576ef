// The tools and arguments that the section of tools begins with.

export const exampleTools = JSON.stringify(
  [
    {
      type: "function",
      function: {
        name: "get_weather",
        description: "Returns the forecast for a city, by day. Use it for any question about the weather.",
        parameters: {
          type: "object",
          properties: {
            city: { type: "string", description: "The name of the city, in English." },
            days: { type: "integer", minimum: 1, maximum: 7, default: 1, description: "How many days, from today." },
            units: { enum: ["celsius", "fahrenheit"] },
          },
          required: ["city"],
          additionalProperties: false,
        },
      },
    },
    {
      type: "function",
      function: {
        name: "book_trip",
        description: "Books",
        parameters: {
          type: "object",
          properties: {
            to: { type: "string", pattern: "^(?=[A-Z])[a-zA-Z]+$" },
            when: { type: "string", format: "date" },
          },
          required: ["to", "when"],
        },
      },
    },
  ],
  undefined,
  2,
);

export const exampleArguments = `{'city': 'Paris', "days": "9", "units": "Celsius",}`;
