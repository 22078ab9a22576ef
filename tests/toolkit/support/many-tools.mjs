// A large set of tools, and an agent run with them in the style of a support desk: three turns, one of them a repair.

import { response, scripted, user } from "./model.mjs";
import { runAgent, Toolkit } from "./toolkit.mjs";

const areas = ["orders", "invoices", "customers", "tickets", "devices", "contracts", "suppliers", "payments"];
const actions = ["list", "get", "create", "update", "delete"];
const scopes = ["", "_draft", "_archived", "_shared", "_external"];

/** 200 tools with eight parameters each, as generated from the API of a service. */
export function manyTools() {
  const names = areas.flatMap((area) =>
    actions.flatMap((action) => scopes.map((scope) => `${action}_${area}${scope}`)),
  );
  return names.map((name) => ({
    name,
    description: `Works on ${name.replaceAll("_", " ")} of one account and returns what was found or changed.`,
    parameters: {
      type: "object",
      properties: {
        account: { type: "string", description: "Id of the account, for example acc_1042" },
        id: { type: "string", description: "Id of the record; empty for all records" },
        since: { type: "string", format: "date", description: "Only records that changed on or after this day" },
        until: { type: "string", format: "date", description: "Only records that changed before this day" },
        limit: { type: "integer", minimum: 1, maximum: 100, description: "Maximum number of records" },
        order: { enum: ["newest", "oldest", "name"], description: "Order of the records" },
        fields: { type: "array", items: { type: "string" }, description: "Fields to return; all by default" },
        note: { type: "string", description: "Why this is done, for the log of the account" },
      },
      required: ["account"],
      additionalProperties: false,
    },
    execute: ({ account }) => ({ account, records: [{ id: "r1", total: 42 }] }),
  }));
}

const question = "Which invoices of account acc_1042 are open, and which tickets?";
const args = { account: "acc_1042", order: "newest", limit: 20 };
const answer = "One invoice and one ticket are open.";
const chosen = (...tools) =>
  response(
    JSON.stringify({ reasoning: "", answer: null, use_tools: tools.map(([name, purpose]) => ({ name, purpose })) }),
  );
const filled = (value) => response(JSON.stringify(value));

const scripts = {
  native: [
    response("", [["c1", "list_invoices", args]]),
    response("", [["c2", "list_tickets", { ...args, limit: "all" }]]),
    response("", [["c3", "list_tickets", args]]),
    response(answer),
  ],
  twoStage: [
    chosen(["list_invoices", "Open invoices of acc_1042"]),
    filled(args),
    chosen(["list_tickets", "Open tickets of acc_1042"]),
    filled({ ...args, limit: "all" }),
    filled(args),
    response(JSON.stringify({ reasoning: "", answer, use_tools: [] })),
  ],
};

/** The same run with a strategy: its outcome, and the bytes of the body of each request, in OpenAI's format. */
export async function runWithMany(strategy, toOpenAI) {
  const { send, requests } = scripted(...scripts[strategy]);
  const options = { request: { model: "m", ...user(question) }, toolkit: new Toolkit(manyTools()), strategy };
  const outcome = await runAgent({ ...options, send, maxIterations: 10 });
  return { outcome, requests, bytes: requests.map((request) => Buffer.byteLength(JSON.stringify(toOpenAI(request)))) };
}
