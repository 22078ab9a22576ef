// The tasks of the toolkit and of its peers: by task, then by side, a function that prepares a run. A run may return a promise.

import { checkedCall, parameters, repairText } from "./payloads.mjs";

const toolkit = () => import("../../pkg/dist/toolkit/node.js");

async function checkByUs() {
  const { Toolkit } = await toolkit();
  const ours = new Toolkit([{ name: "search", parameters }]);
  return () => ours.check(checkedCall);
}

async function checkByAjv() {
  const { default: Ajv } = await import("ajv/dist/2020.js");
  const validate = new (Ajv.default ?? Ajv)().compile(parameters);
  return () => validate(checkedCall.arguments);
}

async function checkByCfworker() {
  const { Validator } = await import("@cfworker/json-schema");
  const validator = new Validator(parameters, "2020-12");
  return () => validator.validate(checkedCall.arguments);
}

async function checkByZod() {
  const { z } = await import("zod");
  const schema = z.object({ query: z.string().min(1), limit: z.int().min(1).max(50), sort: z.enum(["new", "top"]) });
  return () => schema.safeParse(checkedCall.arguments);
}

const repairByUs = (size) => async () => {
  const { repairJson } = await toolkit();
  const text = repairText(size);
  return () => repairJson(text);
};

const repairByPeer = (size) => async () => {
  const { jsonrepair } = await import("jsonrepair");
  const text = repairText(size);
  return () => JSON.parse(jsonrepair(text));
};

const runCalls = (count) => async () => {
  const { Toolkit } = await toolkit();
  const ours = new Toolkit([{ name: "search", parameters, execute: () => "found" }]);
  const calls = Array.from({ length: count }, (_, index) => ({ ...checkedCall, id: `call_${index}` }));
  return () => ours.run(calls);
};

/** The first side of each task is the package. */
export const tasks = {
  "check of a call with three arguments": {
    toolwire: checkByUs,
    "ajv, compiled": checkByAjv,
    "@cfworker/json-schema": checkByCfworker,
    zod: checkByZod,
  },
  "repair of 2 kB": { toolwire: repairByUs(2000), jsonrepair: repairByPeer(2000) },
  "repair of 200 kB": { toolwire: repairByUs(200_000), jsonrepair: repairByPeer(200_000) },
  "run of 1 call": { toolwire: runCalls(1) },
  "run of 100 calls": { toolwire: runCalls(100) },
};
