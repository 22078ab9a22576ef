// Generates code for what the page shows: the same conversion in TypeScript, in Rust, on the command line, or sent by curl.

import type { Dialect } from "toolwire";
import { conversionFlags, optionName } from "../../../pkg-template/command/flags.js";
import { isPart, type Kind, type Outcome, type Recipe, type Settings } from "../engine/protocol.ts";
import { dialectName, fileName } from "./names.ts";
import { sending } from "./sending.ts";
import type { Mode } from "./state.ts";

export interface Shown {
  kind: Kind;
  from: Dialect;
  outcome: Outcome;
  settings: Settings;
  mode: Mode;
}

export interface Snippet {
  language: "TypeScript" | "Rust" | "command" | "curl";
  text: string;
}

/** Empty if nothing was converted. */
export function snippetsOf(shown: Shown): Snippet[] {
  if (shown.outcome.text === undefined) return [];
  const made: [Snippet["language"], string | undefined][] = [
    ["TypeScript", typescript(shown)],
    ["Rust", rust(shown)],
    ["command", command(shown)],
    ["curl", curl(shown)],
  ];
  return made.flatMap(([language, text]) => (text === undefined ? [] : [{ language, text }]));
}

const functions = { request: "convertRequest", response: "convertResponse", error: "convertError" } as const;

function typescript({ kind, from, outcome: { to, recipe }, settings, mode }: Shown): string | undefined {
  const file = JSON.stringify(fileName(kind, from));
  const source = `readFileSync(${file}, "utf8")`;
  const trip = mode === "trip";
  if (kind === "stream") return streamCode(fileName(kind, from), from, to, settings, trip);
  if (isPart(kind) && (trip || !recipe)) return undefined;
  if (recipe) return pieceCode(source, recipe, from, to, settings);
  const name = functions[kind as keyof typeof functions] ?? "convertRequest";
  const there = `${name}(source, ${conversion(from, to, settings)})`;
  const back = trip ? `\nconst back = ${name}(converted, ${conversion(to, from, settings)});` : "";
  return `import { readFileSync } from "node:fs";
import { ${name} } from "toolwire";

const source = ${source}; // text, bytes or an object
const converted = ${there};${back}
console.log(${trip ? "back" : "converted"});`;
}

function conversion(from: Dialect, to: Dialect, settings: Settings): string {
  const options = Object.entries({ from, to, ...settings }).map(
    ([name, value]) => `  ${name}: ${JSON.stringify(value)},`,
  );
  return `{
${options.join("\n")}
  onWarning: ({ code, path, message }) => console.warn(code, path, message),
}`;
}

function streamCode(file: string, from: Dialect, to: Dialect, settings: Settings, trip: boolean): string {
  const back = trip ? `\n  .pipeThrough(convertStream(${nested(conversion(to, from, settings))}).transform())` : "";
  return `import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import { convertStream } from "toolwire";

// in a server: the body of fetch's response
const upstream = Readable.toWeb(createReadStream(${JSON.stringify(file)})) as ReadableStream<Uint8Array>;
const converted = upstream
  .pipeThrough(convertStream(${nested(conversion(from, to, settings))}).transform())${back};
for await (const bytes of converted) process.stdout.write(bytes);`;
}

const nested = (code: string) => code.replaceAll("\n", "\n  ");

/** Parts of a body are converted within a body. */
function pieceCode(source: string, { body, take, from: own }: Recipe, from: Dialect, to: Dialect, settings: Settings) {
  return `import { readFileSync } from "node:fs";
import { convertRequest } from "toolwire";

const piece = JSON.parse(${source});
// a piece is converted as it would be in a request
const request = ${body};
const converted: any = convertRequest(request, ${conversion(own ?? from, to, settings)});
console.log(JSON.stringify(${take}, undefined, 2));`;
}

const subjects: Partial<Record<Kind, string>> = { request: "Request", response: "Response", error: "Error" };

/** The variant of the crate's `Dialect`: its title without the space. */
const variantOf = (dialect: Dialect) => dialectName(dialect).replace(" ", "");

/** Of options, Rust has names and types of its own, so it is shown without them only. */
function rust({ kind, from, outcome: { to }, settings, mode }: Shown): string | undefined {
  const subject = subjects[kind];
  if (!subject || Object.keys(settings).length > 0 || mode === "trip") return undefined;
  return `use toolwire::{Dialect, Options, Subject, convert_text};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let body = std::fs::read(${JSON.stringify(fileName(kind, from))})?;
    let (from, to) = (Dialect::${variantOf(from)}, Dialect::${variantOf(to)});
    let converted = convert_text(body, Subject::${subject}, from, to, Options::default())?;
    for warning in &converted.warnings {
        eprintln!("{} {}: {}", warning.code, warning.path, warning.message);
    }
    println!("{}", String::from_utf8(converted.body)?);
    Ok(())
}`;
}

/** The command converts what it has a kind for. */
function command({ kind, from, outcome: { to }, settings, mode }: Shown): string | undefined {
  if (mode === "trip" || !["request", "response", "error", "tools", "stream"].includes(kind)) return undefined;
  const flags = Object.entries(settings).map(([name, value]) => {
    const found = (conversionFlags as { flag: string }[]).find((flag) => optionName(flag) === name);
    if (typeof value === "boolean") return `--${found?.flag}`;
    return `--${found?.flag} ${quoted(String(value))}`;
  });
  const layout = kind === "stream" ? [] : ["--pretty"];
  return [
    "npx toolwire convert",
    `--from ${from} --to ${to}`,
    `--kind ${kind}`,
    ...layout,
    ...flags,
    fileName(kind, from),
  ].join(" ");
}

function curl({ kind, outcome: { to, text = "", call }, settings, mode }: Shown): string | undefined {
  const { url, headers } = sending(to, settings);
  if (kind !== "request" || mode === "trip" || !call?.path || !url) return undefined;
  const all = { "content-type": "application/json", ...headers };
  const lines = Object.entries(all).map(([name, value]) => `  -H "${name}: ${value}" \\`);
  return `curl ${quoted(url + call.path)} \\
${lines.join("\n")}
  --data-binary @- <<'JSON'
${text}
JSON`;
}

/** As one word of a shell. */
function quoted(text: string): string {
  return /^[\w./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
