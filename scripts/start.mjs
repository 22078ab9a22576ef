// `npm start`: shows the package at work on the examples, or converts a request of the user's own.

import { parseArgs } from "node:util";
import { build } from "./build/all.mjs";
import { main } from "./lib/run.mjs";
import { convertFile } from "./start/convert.mjs";
import { showExamples } from "./start/examples.mjs";

const help = `npm start
    Converts the conversation in examples/ to every provider's request body,
    and one response of each provider back.

npm start -- --from DIALECT --to DIALECT [FILE]
    Converts a request: from FILE, or from standard input if FILE is missing or -.
    Prints JSON to standard output and warnings to standard error.
    (npm's own two lines go to standard output too: npm start --silent -- … leaves them out.)

DIALECT is canonical, openai, anthropic, gemini or any other that the package knows.
`;

await main(async () => {
  const options = readOptions();
  if (options === undefined) return 2;
  if (options.help) {
    process.stdout.write(help);
    return 0;
  }
  await build();
  const toolwire = await import("../pkg/dist/index.js");
  return options.from ? convertFile(toolwire, options) : showExamples(toolwire);
});

function readOptions() {
  try {
    const { values, positionals } = parseArgs({
      options: { from: { type: "string" }, to: { type: "string" }, help: { type: "boolean", short: "h" } },
      allowPositionals: true,
    });
    if (values.help) return values;
    if (Boolean(values.from) !== Boolean(values.to)) throw new Error("--from and --to belong together");
    if (positionals.length > (values.from ? 1 : 0)) throw new Error(`unexpected argument: ${positionals.at(-1)}`);
    return { ...values, file: positionals[0] ?? "-" };
  } catch (error) {
    process.stderr.write(`error: ${error.message}\n\n${help}`);
    return undefined;
  }
}
