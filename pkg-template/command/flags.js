// All commands and flags, as data for parsing, validation, the conversion and --help.

import { grammarSyntaxes, optionValues } from "../../build/generated/option-words.js";

export const kinds = ["request", "response", "error", "tools", "stream"];

const output = ["pretty", "raw", "quiet"];

/**
 * The commands. `flags` are the entries of `commandFlags` that a command accepts, `needs` is a required flag. Only
 * `convert` accepts `conversionFlags`.
 */
export const commands = {
  convert: { needs: "to", flags: ["to", "from", "kind", ...output] },
  check: { needs: "tools", flags: ["tools", "from", ...output] },
  repair: { flags: ["schema", ...output] },
  parse: { needs: "format", flags: ["format", "tools", "from", ...output] },
  prompt: { needs: "format", flags: ["format", "from"] },
  grammar: { needs: "syntax", flags: ["syntax", "format", "tool-choice", "single-call", "from", ...output] },
  gateway: {
    flags: [
      ...["to", "server", "base-url", "model", "key-env", "simulate-tools", "config"],
      ...["port", "host", "log", "show", "record", "print-config", "pretty", "raw"],
    ],
    takesNoFile: true,
  },
  explain: { flags: [] },
  playground: { flags: ["port"], takesNoFile: true },
};

/** Flags of the commands. `value` is the placeholder of the value in --help. A flag without it is a switch. */
export const commandFlags = [
  { flag: "to", value: "DIALECT", help: "the format to write" },
  { flag: "from", value: "DIALECT", help: "the format of the input; detected if it is unambiguous" },
  { flag: "kind", value: "KIND", values: kinds, help: "what the input is; detected if omitted" },
  { flag: "tools", value: "FILE", help: "check, parse: JSON with tool definitions, in any format" },
  {
    flag: "format",
    value: "ID",
    help: "parse, prompt, grammar: the text format; auto detects it (parse)",
  },
  {
    flag: "syntax",
    values: grammarSyntaxes,
    help: "grammar: what to write",
  },
  { flag: "tool-choice", value: "CHOICE", help: "grammar: auto, required, none, or the name of a tool" },
  { flag: "single-call", help: "grammar: one call at most" },
  {
    flag: "schema",
    value: "FILE",
    help: "repair: JSON Schema of the value, for ambiguous text",
  },
  {
    flag: "base-url",
    value: "URL",
    help: "gateway: the model's server, if not the provider's",
  },
  { flag: "key-env", value: "NAME", help: "gateway: the environment variable with the key" },
  { flag: "simulate-tools", value: "ID", help: "gateway: the text format of a model without tools" },
  { flag: "config", value: "FILE", help: "gateway: JSON with the configuration" },
  { flag: "port", value: "N", number: true, help: "gateway, playground: the port (8787, 5180); 0 takes a free one" },
  { flag: "host", value: "ADDRESS", help: "gateway: the address to listen at (127.0.0.1)" },
  { flag: "log", values: ["text", "json"], help: "gateway: one line for each request, as text or JSON" },
  { flag: "show", help: "gateway: print the bodies of each step" },
  { flag: "record", value: "FOLDER", help: "gateway: write these bodies to files" },
  { flag: "print-config", help: "gateway: print the configuration and end" },
  { flag: "pretty", help: "indented JSON (on a terminal the default)" },
  { flag: "raw", help: "JSON as the conversion returns it, on one line (in a pipe the default)" },
  { flag: "quiet", short: "q", help: "no warnings" },
  { flag: "help", short: "h", help: "this text" },
  { flag: "version", help: "the version" },
];

const optionFlags = [
  { flag: "lossy", help: "error: fail if something would be lost" },
  { flag: "missing-results", help: "a call without a result" },
  { flag: "orphan-results", help: "a result without a call" },
  { flag: "duplicate-results", help: "a second result of one call" },
  { flag: "error-style", help: "error results where the target has no flag for them" },
  { flag: "json-results", help: "parse: results that are JSON text are read as data" },
  { flag: "forms", help: "omit: canonical output without records of how it was written" },
  { flag: "gemini-result-key", help: "Gemini's key for results that are not objects" },
  { flag: "gemini-schema", help: "Gemini's field for schemas" },
  { flag: "anthropic-version", help: "the API version that Anthropic bodies are written for" },
  { flag: "platform", help: "where the model is hosted" },
  {
    flag: "server",
    value: "NAME",
    file: (value) => value.endsWith(".json"),
    help: "the server, if it is not the provider's own; a file .json: its profile",
  },
  { flag: "model", value: "NAME", help: "requests: the model, instead of the one in the request" },
  { flag: "stream", help: "requests: the response is streamed" },
  { flag: "stored-context", help: "requests: what is stored elsewhere, for a target that can't resolve it" },
  { flag: "reasoning", help: "responses: whether the reasoning of another provider is shown" },
  { flag: "system-role", help: "OpenAI's role for system messages" },
  { flag: "mid-system", help: "system messages after the first turn" },
  {
    flag: "input-examples",
    help: "example arguments of tools where the target has none",
  },
  { flag: "cache", help: "requests to Anthropic: mark what may be cached" },
  { flag: "id-seed", value: "TEXT", help: "seed of generated ids" },
  {
    flag: "model-facts",
    value: "FILE",
    file: true,
    help: "requests: JSON with facts about the model, instead of the table's",
  },
  { flag: "default-max-tokens", value: "N", number: true, help: "requests: max_tokens of a request without one" },
  { flag: "max-depth", value: "N", number: true, help: "how deep the JSON may be nested (128)" },
  { flag: "context", value: "FILE", file: true, help: "JSON that contextOf returned for the request of this response" },
  { flag: "bookkeeping", help: "warnings of the level bookkeeping, too" },
  { flag: "include-usage", kind: "stream", help: "OpenAI: a chunk with the usage at the end" },
  { flag: "lenient-streams", kind: "stream", help: "supply the opening events that a stream lacks" },
  { flag: "max-event-bytes", value: "N", number: true, kind: "stream", help: "how long an event may be (33554432)" },
  { flag: "status", value: "N", number: true, kind: "error", help: "the HTTP status that the error came with" },
];

export function optionName({ flag }) {
  return flag.replace(/-(.)/g, (_, letter) => letter.toUpperCase());
}

/** Conversion options. The option of the API has the flag's name in camelCase and the same values. */
export const conversionFlags = optionFlags.map((flag) => {
  const values = optionValues[optionName(flag)];
  return values ? { ...flag, values } : flag;
});
