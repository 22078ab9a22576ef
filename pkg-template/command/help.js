import { dialects, version } from "../../build/generated/facts.js";
import { exits } from "./exits.js";
import { commandFlags, conversionFlags, kinds } from "./flags.js";

export function helpText() {
  return `toolwire ${version}: LLM tool calling from one provider's format to another's

  toolwire convert --to DIALECT [--from DIALECT] [--kind KIND] [options] [FILE]
  toolwire check --tools FILE [--from DIALECT] [CALLS]
  toolwire repair [--schema FILE] [FILE]
  toolwire parse --format ID [--tools FILE] [FILE]
  toolwire prompt --format ID [TOOLS]
  toolwire grammar --syntax SYNTAX --format ID [TOOLS]
  toolwire gateway --to DIALECT [--model NAME] [options]
  toolwire explain [CODE]
  toolwire playground [--port N]

convert  Converts a body, a stream while it arrives, lines of JSON, or a batch. Recognises which of these the input
         is, and its format. Prints what the target can't take, one line each, to standard error.
check    Checks calls against tool definitions. CALLS is JSON: calls, or a response that has some. Prints each call
         with the arguments that it would run with, its problems and the changes that were made.
repair   Repairs text that is almost JSON, such as what models write.
parse    Reads a model's text: prints its calls, its reasoning and the text around them.
prompt   Prints the prompt that teaches a model without tool calling to call these tools.
grammar  Prints a grammar that restricts a model to valid responses: text, calls of these tools, or both.

gateway  Serves clients of every format with any model, on this machine. Prints its address, and what to set in clients.
playground
         Serves a page on this machine: paste what one API takes or returns, and see what every other would be sent.

explain  Describes the code of a warning or an error. Without a code, lists all of them.

All but gateway, playground and explain read a file, or standard input where it is missing or -. All but those, prompt
and grammar print JSON to standard output.

Examples

  toolwire convert --from openai --to anthropic request.json
      The body of an OpenAI request as Anthropic wants it.
  curl -s … | toolwire convert --to canonical
      Whatever a provider answered, in the one format that all of them have here.
  toolwire convert --kind tools --from canonical --to gemini tools.json
      Only definitions of tools: an array of them, or any object that has them under "tools".
  curl -sN … | toolwire convert --to openai
      A stream, event by event, as it comes.
  toolwire convert --to anthropic batch.jsonl
      A batch of OpenAI as the one object that Anthropic's batches are. Bodies, one in each line, become lines.
  toolwire convert --to openai --lossy error body.json > openai.json || echo "would lose something"
      Refuses to lose anything.
  toolwire check --tools request.json response.json
      Which calls of a response can run, with the tools of its request.
  echo "{city: 'Bern', days: 3,}" | toolwire repair
      {"city":"Bern","days":3}
  toolwire parse --format hermes_json --tools request.json output.txt
      The calls in what a model wrote, with arguments of the types that the tools of a request have.
  toolwire grammar --syntax gbnf --format hermes_json request.json > tools.gbnf
      The tools of a request as a grammar for llama.cpp.
  toolwire gateway --to gemini --model gemini-3.8-flash
      Claude Code, Codex and every SDK on Gemini, with the key in GEMINI_API_KEY.

DIALECT  ${list(dialects)}
KIND     ${kinds.join(", ")}

Flags
${table(commandFlags)}

How to convert
${table(conversionFlags)}

Exit codes
${Object.values(exits)
  .map(({ code, meaning }) => `  ${code}  ${meaning}`)
  .join("\n")}
`;
}

/** Names behind a heading, in lines of at most 120 characters. */
function list(names) {
  const indent = " ".repeat("DIALECT  ".length);
  const lines = [];
  let line = indent;
  for (const [index, name] of names.entries()) {
    const next = index < names.length - 1 ? `${name}, ` : name;
    if (line !== indent && (line + next).trimEnd().length > 120) {
      lines.push(line.trimEnd());
      line = indent;
    }
    line += next;
  }
  return [...lines, line].join("\n").trimStart();
}

function table(flags) {
  const rows = flags.map(({ flag, short, value, values, help }) => {
    const shown = value ?? values?.join("|");
    return [`  --${flag}${short ? `, -${short}` : ""}${shown ? ` ${shown}` : ""}`, help];
  });
  const width = 48;
  return rows.map(([left, help]) => `${left.padEnd(width)}  ${help}`).join("\n");
}
