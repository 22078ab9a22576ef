// Tools and tool choice.

import { fieldCount, notCovered, warn, warnAboutField } from "./warnings.mjs";

const legalName = /^[a-zA-Z0-9_-]{1,128}$/;
const legalProperty = /^[\w.-]{1,64}$/;

/** Names that the target accepts. A name is changed in the same way everywhere. */
export class Names {
  #rewritten = new Map();
  /** Names of properties that were checked: tools often share them. */
  #properties = new Set();
  #taken = new Set();

  checkProperties(properties) {
    for (const name in properties) {
      if (this.#properties.has(name)) continue;
      if (!legalProperty.test(name)) notCovered("such names of properties");
      this.#properties.add(name);
    }
  }

  known(name) {
    return this.#rewritten.get(name) ?? name;
  }

  /** The path of the name consists of a list, an index and `rest`. */
  fit(name, list, index, rest, warnings) {
    if (legalName.test(name)) return name;
    const known = this.#rewritten.get(name);
    if (known !== undefined) return known;
    warn(warnings, "name_rewritten", `/${list}/${index}${rest === undefined ? "" : `/tool_calls/${rest}`}`);
    const plain = name.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, 121);
    let fitting;
    for (let count = 0; fitting === undefined || this.#taken.has(fitting); count++)
      fitting = `${plain}_${hashOf(name, count)}`;
    this.#taken.add(fitting);
    this.#rewritten.set(name, fitting);
    return fitting;
  }
}

/** Six characters that depend on the name (FNV-1a), so that `a.b` never gets the name of another tool, `a_b`. */
function hashOf(name, seed) {
  let hash = 0x811c9dc5 ^ seed;
  for (let index = 0; index < name.length; index++) hash = Math.imul(hash ^ name.charCodeAt(index), 0x01000193);
  return (hash >>> 0).toString(36).padStart(6, "0").slice(-6);
}

export function definitions(tools, names, warnings) {
  const given = new Set();
  const output = [];
  for (let index = 0; index < tools.length; index++) {
    const tool = tools[index];
    if (tool.type !== undefined && tool.type !== "function") notCovered(`tools of the type ${tool.type}`);
    const definition = definitionOf(tool, index, names, warnings);
    if (given.size === given.add(definition.name).size) throw new Error(`two tools of the name ${definition.name}`);
    output.push(definition);
  }
  return output;
}

function definitionOf(tool, index, names, warnings) {
  const { name, description, parameters, strict } = tool.function;
  if (strict === true) notCovered("strict tools");
  const known = 1 + (description !== undefined) + (parameters !== undefined) + (strict !== undefined);
  if (fieldCount(tool) !== 2 || fieldCount(tool.function) !== known) warnAboutTool(tool, index, warnings);
  const definition = { name: names.fit(name, "tools", index, undefined, warnings) };
  if (description != null) definition.description = description;
  definition.input_schema = parameters == null ? { type: "object", properties: {} } : fitting(parameters, names);
  return definition;
}

const modelled = new Set(["name", "description", "parameters", "strict"]);

function warnAboutTool(tool, index, warnings) {
  for (const key in tool.function) {
    if (!modelled.has(key)) warnAboutField(warnings, `/tools/${index}/function`, key, tool.function[key]);
  }
  for (const key in tool) {
    if (key !== "type" && key !== "function") warnAboutField(warnings, `/tools/${index}`, key, tool[key]);
  }
}

/** Whether the root is an object without alternatives, with names of properties that the target accepts. */
function fitting(schema, names) {
  let hasType = false;
  for (const key in schema) {
    switch (key) {
      case "type":
        hasType = true;
        if (schema.type !== "object") notCovered("schemas of other types");
        break;
      case "properties":
        names.checkProperties(schema.properties);
        break;
      case "anyOf":
      case "oneOf":
      case "allOf":
      case "$ref":
        notCovered(`${key} at the root`);
    }
  }
  return hasType ? schema : { type: "object", ...schema };
}

/** A choice requires tools, and may name one of them. */
export function toolChoice(choice, parallel, tools, names, warnings) {
  const flag = parallel == null ? {} : { disable_parallel_tool_use: !parallel };
  const usual = parallel === false ? { type: "auto", ...flag } : undefined;
  if (choice == null) return usual;
  if (choice === "none") return { type: "none" };
  if (choice === "auto") return { type: "auto", ...flag };
  if (choice === "required") return { type: "any", ...flag };
  if (choice.type !== "function") notCovered(`the choice of ${choice.type}`);
  const name = names.known(choice.function.name);
  if (tools.some((tool) => tool.name === name)) return { type: "tool", name, ...flag };
  warn(warnings, "choice_dropped", "/tool_choice");
  return usual;
}
