// An agent for long tasks: it plans, hands parts to sub-agents, and keeps what it learns in files instead of in its context.

import { agentTool, Toolkit } from "toolwire/toolkit";
import { listFiles, readFile, writeFile } from "./files.js";
import { Plan } from "./plan.js";

/** The number of last messages that stay in a request, with the rest of the turn that they belong to. */
const KEPT = 8;

const instructions = `You work on long tasks. Write a plan first, and keep it up to date. Let review_file read the files, and write what
you learn to notes/: earlier messages are removed, files and the plan are not.`;

/** The options of a run. `send` reaches any provider; `files` is a Map of paths and contents. */
export function deepAgent({ send, model, files, task }) {
  const plan = new Plan();
  const toolkit = new Toolkit([
    plan.tool,
    listFiles(files),
    readFile(files),
    writeFile(files),
    reviewer({ send, model, files }),
  ]);
  return {
    request: { model, messages: [{ role: "user", content: task }] },
    toolkit,
    send,
    maxIterations: 60,
    timeoutMs: 600_000,
    prepare({ request }) {
      const system = { role: "system", content: `${instructions}\n\n${plan}` };
      return { messages: [system, ...recent(request.messages)] };
    },
  };
}

/** A sub-agent: it sees one file and the question, and its context is discarded after its response. It may read, but not write. */
function reviewer({ send, model, files }) {
  return agentTool({
    name: "review_file",
    description: "Lets a reviewer read a file. Returns a summary of one line.",
    parameters: [{ name: "path", type: "string", description: "Path of the file" }],
    agent: ({ path }) => ({
      request: {
        model,
        messages: [
          { role: "system", content: "You review one file. Read it, then summarize it in one line." },
          { role: "user", content: `Review ${path}.` },
        ],
      },
      toolkit: new Toolkit([readFile(files)]),
      send,
      maxIterations: 4,
    }),
  });
}

/** The task and the last messages, beginning with a response, so that no result is without its call. */
function recent(messages) {
  const from = messages.findLastIndex(({ role }, index) => role === "assistant" && index <= messages.length - KEPT);
  return from <= 1 ? messages : [messages[0], ...messages.slice(from)];
}
