// Runs the command from its arguments to its exit code.

import { ToolwireError } from "toolwire";
import { version } from "../../build/generated/facts.js";
import { readArguments } from "./arguments.js";
import { check } from "./check.js";
import { linkTo } from "./codes.js";
import { convert } from "./convert.js";
import { detect, detectOther } from "./detect.js";
import { detectStream, isStreamLine, otherStream } from "./events.js";
import { exits, Stop } from "./exits.js";
import { explain } from "./explain.js";
import { gateway } from "./gateway/run.js";
import { helpText } from "./help.js";
import { chunksOf, joined, parsed, readBytes } from "./input.js";
import { indented } from "./json-text.js";
import { bodiesIn, written } from "./lines.js";
import { peek } from "./peek.js";
import { playground } from "./playground.js";
import { repair } from "./repair.js";
import { errorLine, report, warningLine, withoutPath } from "./report.js";
import { convertStreamed } from "./stream.js";
import { grammar, parse, prompt } from "./text.js";

/** Resolves to the exit code. Never rejects. */
export async function run(argv) {
  try {
    const asked = readArguments(argv);
    if (asked.action === "help") process.stdout.write(helpText());
    else if (asked.action === "version") process.stdout.write(`${version}\n`);
    else return await carryOut(asked);
    return exits.ok.code;
  } catch (error) {
    return failure(error);
  }
}

/** Each action except `convert` returns the text to print, whether it is JSON, and the name of the exit if it is not `ok`. */
const actions = {
  check,
  repair,
  parse,
  prompt,
  grammar,
  gateway,
  explain,
  playground,
};

async function carryOut(asked) {
  if (asked.kind === "stream") return await streamed(asked, chunksOf(asked.file));
  if (asked.action !== "convert") return print(asked, await actions[asked.action](asked));
  const { isStream, chunks } = await peek(chunksOf(asked.file));
  if (isStream && asked.kind === undefined) return await streamed(asked, chunks);
  return await convertedBodies(asked, await joined(chunks));
}

/** Returns the exit code. */
function print(asked, { text, exit = "ok", isJson = true }) {
  const pretty = isJson && (asked.pretty || (process.stdout.isTTY && !asked.raw));
  if (text !== "") process.stdout.write(`${pretty ? indented(text) : text}\n`);
  return exits[exit].code;
}

/** One body, lines of JSON, a batch, or a stream of Ollama, which is lines of JSON, too. */
async function convertedBodies(asked, bytes) {
  const value = parsed(bytes);
  const bodies = bodiesIn(new TextDecoder().decode(bytes), value);
  if (bodies === undefined) return print(asked, { text: await converted(asked, { bytes, value }) });
  if (asked.kind === undefined && bodies.every(isEventLine)) return await streamed(asked, [bytes]);
  if (asked.pretty) throw new Stop("usage", "--pretty is for one body, and this has several");
  const outputs = [];
  for (const { text, value, name, kind = asked.kind, from } of bodies) {
    const input = { bytes: new TextEncoder().encode(text), value };
    outputs.push(await converted({ ...asked, kind, from: asked.from ?? from, name }, input));
  }
  process.stdout.write(`${written(bodies, outputs, asked.to)}\n`);
  return exits.ok.code;
}

const isEventLine = ({ id, value }) => id === undefined && isStreamLine(value);

async function converted(asked, input) {
  const options = await conversionOptions(asked);
  try {
    const { from, kind } = identify(input.value, asked);
    checkFlags(asked.flags, kind);
    return convert(kind, input, { ...options, from, to: asked.to });
  } catch (error) {
    // the position in an input with several bodies
    if (asked.name) error.message = `${asked.name}: ${error.message}`;
    throw error;
  }
}

/** Returns the exit code. */
async function streamed(asked, chunks) {
  checkFlags(asked.flags, "stream");
  if (asked.pretty) throw new Stop("usage", "--pretty is for bodies, and this is a stream");
  const conversion = { ...(await conversionOptions(asked)), to: asked.to };
  let first;
  const identify = (event) => {
    first = event;
    return asked.from ?? (event === null ? "bedrock" : detectStream(event));
  };
  try {
    await convertStreamed(chunks, conversion, identify, (bytes) => process.stdout.write(bytes));
  } catch (error) {
    const other = error instanceof ToolwireError && asked.from && otherStream(first, asked.from);
    if (other) error.message += ` (this looks like ${other}, not ${asked.from})`;
    throw error;
  }
  return exits.ok.code;
}

function checkFlags(flags, kind) {
  const misplaced = flags.find((flag) => flag.kind && flag.kind !== kind);
  if (misplaced) throw new Stop("usage", `--${misplaced.flag} is for --kind ${misplaced.kind}, and this is ${kind}`);
}

function identify(value, { from, kind }) {
  if (from && kind) return { from, kind };
  // Not JSON: leave it to the conversion to report the position of the error.
  if (value === undefined) return { from: from ?? "canonical", kind: "request" };
  const tools = toolsOf(value, kind);
  const other = from && detectOther(tools, { from, kind });
  if (other) throw new Stop("unrecognised", `this looks like ${other.from} (${other.kind}), not ${from}`);
  return detect(tools, { from, kind });
}

/** The value whose format is detected: for an object with tools, the tools. */
const toolsOf = (value, kind) => (kind === "tools" && Array.isArray(value?.tools) ? value.tools : value);

async function conversionOptions({ flags, quiet, name }) {
  const before = name ? `${name}: ` : "";
  const options = { onWarning: (warning) => quiet || report(before + warningLine(warning), linkTo(warning.code)) };
  for (const { flag, option, value, file } of flags) {
    const isFile = typeof file === "function" ? file(value) : file;
    options[option] = isFile ? parsed(await readBytes(value)) : value;
    if (options[option] === undefined) throw new Stop("usage", `--${flag}: ${value} does not contain JSON`);
  }
  return options;
}

function failure(error) {
  if (error instanceof Stop) {
    report(`error: ${error.message}`);
    return exits[error.exit].code;
  }
  if (error?.name === "ToolkitError") {
    report(errorLine(error));
    return exits.conversion.code;
  }
  if (error instanceof ToolwireError) {
    if (aboutOption(error)) return failure(new Stop("usage", optionMessage(error)));
    report(errorLine(error), linkTo(error.code));
    return error.code === "lossy" ? exits.lossy.code : exits.conversion.code;
  }
  report(`error: ${error?.message ?? error} (a defect of this command, please report it)`);
  return exits.conversion.code;
}

/** Reports option values that only the package can validate, such as the maximum of --max-depth. */
function aboutOption({ path, dialect }) {
  return path.startsWith("/options/") && dialect === undefined;
}

function optionMessage(error) {
  return `option ${error.path.slice("/options/".length)}: ${withoutPath(error)}`;
}
