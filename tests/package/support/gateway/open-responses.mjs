// Requests of clients of Open Responses, and what providers respond, as data: see `scenarios.mjs`.

import { IMAGE, playedBy, SIGNATURE } from "./scenarios.mjs";

const text = { type: "text", pieces: ["Hel", "lo."] };
const call = { type: "call", id: "call_a", name: "get_weather", pieces: ['{"locat', 'ion":"Paris"}'] };
const reasoning = { type: "reasoning", pieces: ["Hm, ", "so."], signature: SIGNATURE };

/** A request that offers tools gets a call, any other one a text. */
const scenario = (...before) => {
  const withCall = { blocks: [...before, call], finish: "tool_calls" };
  const withText = { blocks: [...before, text] };
  return (upstream) => {
    const { answers } = playedBy(upstream, { answers: [withCall, withText] });
    return { answer: ({ tools }) => answers[tools.length > 0 ? 0 : 1] };
  };
};

export const conversations = { plain: scenario(), "with reasoning": scenario(reasoning) };

const user = (content) => ({ type: "message", role: "user", content });
const tool = {
  type: "function",
  name: "get_weather",
  description: "The weather of a place",
  parameters: { type: "object", properties: { location: { type: "string" } }, required: ["location"] },
};
const image = { type: "input_image", image_url: `data:image/png;base64,${IMAGE}`, detail: "auto" };

/** Requests, each with the type of an item that its response has. */
export const questions = [
  { type: "message", input: "Hello" },
  { type: "message", instructions: "You are brief.", input: [user("Hello")], temperature: 1, metadata: { a: "b" } },
  { type: "message", input: [user([{ type: "input_text", text: "What is it?" }, image])], text: { verbosity: "low" } },
  {
    type: "message",
    input: [
      user("Hi"),
      { type: "message", role: "assistant", content: "Hello.", phase: "final_answer" },
      user("Again"),
    ],
  },
  { type: "function_call", input: [user("The weather?")], tools: [tool] },
  { type: "function_call", input: [user("Now?")], tools: [tool], tool_choice: { type: "function", name: tool.name } },
];
