// Parses the command line. Reports all mistakes in it before any input is read.

import { parseArgs } from "node:util";
import { dialects } from "../../build/generated/facts.js";
import { Stop } from "./exits.js";
import { commandFlags, commands, conversionFlags, optionName } from "./flags.js";
import { meant, meantDialect } from "./names.js";

export function readArguments(argv) {
  const { values, positionals } = parse(argv);
  const [command, ...files] = positionals;
  if (values.help || command === "help") return { action: "help" };
  if (values.version) return { action: "version" };
  if (command === undefined) throw usage("no command");
  if (!Object.hasOwn(commands, command)) {
    throw usage(`there is no command ${command}${meant(command, Object.keys(commands))}`);
  }
  checkValues(values);
  checkFlags(command, values);
  if (values.pretty && values.raw) throw usage("--pretty and --raw can't be combined");
  if (commands[command].takesNoFile && files.length > 0) throw usage(`toolwire ${command} takes no file: ${files[0]}`);
  if (files.length > 1) throw usage(`only one file can be converted at a time, found also ${files[1]}`);
  return { action: command, ...values, file: files[0] ?? "-", flags: givenFlags(values) };
}

function parse(argv) {
  const options = {};
  for (const { flag, short, value, values } of [...commandFlags, ...conversionFlags]) {
    options[flag] = { type: value || values ? "string" : "boolean", ...(short && { short }) };
  }
  try {
    return parseArgs({ args: argv, options, allowPositionals: true });
  } catch (error) {
    // Omit the advice about positional arguments that Node appends.
    const [message] = error.message.split(". ");
    const unknown = message.match(/^Unknown option '--([\w-]+)'/)?.[1];
    throw usage(`${message}${unknown ? meant(unknown, Object.keys(options), "--") : ""}`);
  }
}

function checkFlags(command, values) {
  const { needs, flags } = commands[command];
  if (needs !== undefined && values[needs] === undefined) throw usage(`--${needs} is missing`);
  const taken = command === "convert" ? [...flags, ...conversionFlags.map(({ flag }) => flag)] : flags;
  const misplaced = Object.keys(values).find((flag) => !taken.includes(flag));
  if (misplaced !== undefined) throw usage(`toolwire ${command} has no flag --${misplaced}`);
}

function checkValues(values) {
  const allowed = { from: dialects, to: dialects };
  for (const { flag, values: listed, number } of [...commandFlags, ...conversionFlags]) {
    const value = values[flag];
    if (value === undefined) continue;
    const choices = allowed[flag] ?? listed;
    if (choices && !choices.includes(value)) {
      const suggested = allowed[flag] ? meantDialect(flag, value) : meant(value, choices, `--${flag} `);
      throw usage(`--${flag} must be one of ${choices.join(", ")}, not ${value}${suggested}`);
    }
    if (number && !/^\d{1,9}$/.test(value)) throw usage(`--${flag} must be a number, not ${value}`);
  }
}

/** The conversion options that were given: `[{ …flag, value }]`. */
function givenFlags(values) {
  return conversionFlags
    .filter(({ flag }) => values[flag] !== undefined)
    .map((flag) => ({
      ...flag,
      option: optionName(flag),
      value: flag.number ? Number(values[flag.flag]) : values[flag.flag],
    }));
}

function usage(message) {
  return new Stop("usage", `${message}${message.endsWith("?") ? "" : "."} See toolwire --help`);
}
