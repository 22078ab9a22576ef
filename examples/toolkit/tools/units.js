// Converts lengths. Its parameters are parameter definitions, which require no knowledge of JSON Schema.

import { tool } from "toolwire/toolkit";

const metres = { mm: 0.001, cm: 0.01, m: 1, km: 1000, inch: 0.0254, foot: 0.3048, mile: 1609.344 };
const unit = { type: "string", enum: Object.keys(metres) };

export const units = tool({
  name: "convert_length",
  description: "Converts a length from one unit to another.",
  category: "math",
  parameters: [
    { name: "value", type: "number", description: "The length to convert", minValue: 0 },
    { name: "from", ...unit, description: "The unit of the length" },
    { name: "to", ...unit, description: "The unit to convert to" },
  ],
  execute: ({ value, from, to }) => ({ value: Number(((value * metres[from]) / metres[to]).toPrecision(6)), unit: to }),
});
