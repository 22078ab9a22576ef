// What Gemini's API refuses in `parameters`, where it takes its own form of OpenAPI only. Bodies that stay in its format keep it, so no warning names it.

import { type Conversion, convertRequest } from "toolwire";

type Json = Record<string, unknown>;

interface Tool {
  name: string;
  parameters?: unknown;
  metadata?: { google?: { form?: { parameters?: unknown } } };
}

/** The keywords of schemas that the form does not have, for each declared function. */
export function refusedSchemas(text: string, { from, to }: Pick<Conversion, "from" | "to">): string[] {
  const { tools = [] } = JSON.parse(convertRequest(text, { from, to: "canonical" })) as { tools?: Tool[] };
  return tools.flatMap(({ name, parameters, metadata }) => {
    // kept only if the form of OpenAPI does not give it back
    const given = metadata?.google?.form?.parameters;
    if (typeof given !== "object") return [];
    const body = JSON.stringify({ messages: [{ role: "user", content: "Hi" }], tools: [{ name, parameters }] });
    const fitted = JSON.parse(convertRequest(body, { from: "canonical", to, geminiSchema: "openapi" })) as {
      tools: { functionDeclarations: { parameters?: unknown }[] }[];
    };
    const keywords = [...new Set(missing(given, fitted.tools[0]?.functionDeclarations[0]?.parameters))];
    if (keywords.length === 0) return [];
    const list = keywords.map((keyword) => `\`${keyword}\``).join(", ");
    return [`\`parameters\` of ${name} has ${list}, which only \`parametersJsonSchema\` takes`];
  });
}

/** The keys of a schema that its other form does not have, wherever they are. */
function missing(given: unknown, fitted: unknown): string[] {
  if (typeof given !== "object" || given === null || typeof fitted !== "object" || fitted === null) return [];
  return Object.entries(given).flatMap(([key, held]) => (key in fitted ? missing(held, (fitted as Json)[key]) : [key]));
}
