// What is wrong with a configuration, by its JSON Schema.

import { configSchema } from "../../gateway/schema.js";

/** The problems in one line; undefined if there are none. */
export async function problemOf(config) {
  if (typeof config !== "object" || config === null || Array.isArray(config)) return "expected an object";
  const { Toolkit } = await import("toolwire/toolkit");
  const { $schema: _, title: __, ...parameters } = configSchema;
  const toolkit = new Toolkit([{ name: "config", parameters }]);
  const { problems } = await toolkit.check({ id: "config", name: "config", arguments: config });
  if (problems.length === 0) return undefined;
  return problems.map(({ path, message }) => `${path}: ${message}`).join("; ");
}
