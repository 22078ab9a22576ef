// A LangGraph.js graph whose model node and tool node are toolwire's: it works with any provider, and its state is plain JSON that any
// checkpointer can store.

import { Annotation, END, START, StateGraph } from "@langchain/langgraph";
import { toolResult } from "toolwire";

/** Canonical messages. What a node returns is added to them. */
const State = Annotation.Root({
  messages: Annotation({ reducer: (before, added) => before.concat(added), default: () => [] }),
});

/** `send` reaches a provider (`sendTo`), `request` has the model and the settings. Pass a checkpointer to keep conversations. */
export function agentGraph({ send, toolkit, request, checkpointer }) {
  const model = async ({ messages }, config) => {
    const asked = { ...request, messages, tools: toolkit.definitions() };
    const response = await received(await send(asked, { signal: config.signal, iteration: 1 }), config.writer);
    return { messages: [response.message] };
  };
  const tools = async ({ messages }, config) => {
    const executions = await toolkit.run(callsOf(messages), { signal: config.signal });
    return { messages: executions.map((execution) => ({ role: "tool", ...resultOf(execution) })) };
  };
  return new StateGraph(State)
    .addNode("model", model)
    .addNode("tools", tools)
    .addEdge(START, "model")
    .addConditionalEdges("model", ({ messages }) => (callsOf(messages).length > 0 ? "tools" : END))
    .addEdge("tools", "model")
    .compile({ checkpointer });
}

/** The calls of the last message. Those with invalid arguments get an error result, which the model can act on. */
function callsOf(messages) {
  const { toolCalls = [], invalidToolCalls = [] } = messages.at(-1);
  return [...toolCalls, ...invalidToolCalls];
}

/** This graph asks no person: a call that needs approval is not made. */
function resultOf({ call, result, status }) {
  return result ?? toolResult(call, new Error(`The call did not run: it is ${status}.`));
}

/** The whole response. The events of a streamed one go to those who read the graph with `streamMode: "custom"`. */
async function received(sent, write) {
  if (!(Symbol.asyncIterator in sent)) return sent;
  for (;;) {
    const { done, value } = await sent.next();
    if (done) return value;
    write?.(value);
  }
}
