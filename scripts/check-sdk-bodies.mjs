// `npm run check:sdk-bodies`: for every member and every alternative in the official clients' types of requests (scripts/sdk-bodies), a body that has
// it goes through the canonical format and back. It comes back as it was, or a warning reports the change. `-- cohere` selects formats, `--verbose`
// prints what is reported and refused, `--built` takes the package as it is.

import { join } from "node:path";
import { parseArgs } from "node:util";
import ts from "typescript-5";
import { build } from "./build/all.mjs";
import { main, root } from "./lib/run.mjs";
import { differences } from "./recorded/assert.mjs";
import { asRecorded } from "./recorded/payloads.mjs";
import { documented } from "./sdk-bodies/documented.mjs";
import { completed } from "./sdk-bodies/given.mjs";
import { Samples } from "./sdk-bodies/samples.mjs";

await main(async () => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { built: { type: "boolean" }, verbose: { type: "boolean" } },
  });
  if (!values.built) await build();
  const toolwire = await import("../pkg/dist/index.js");
  let silent = 0;
  for (const { format, bodies } of requests()) {
    if (positionals.length > 0 && !positionals.includes(format)) continue;
    const counts = { same: 0, documented: 0, reported: 0, refused: 0, silent: 0 };
    for (const body of bodies) {
      const { outcome, why } = check(toolwire, format, body);
      counts[outcome] += 1;
      if (outcome === "silent") console.log(`FAILED  ${format}: ${why}\n        ${JSON.stringify(body)}`);
      else if (values.verbose && why) console.log(`${outcome}  ${format}: ${why}\n        ${JSON.stringify(body)}`);
    }
    silent += counts.silent;
    const { same, reported, refused } = counts;
    const parts = `${same} unchanged, ${reported} changed with a warning, ${counts.documented} as documented, ${refused} refused`;
    console.log(
      `${format.padEnd(20)} ${String(bodies.length).padStart(5)} bodies: ${parts}, ${counts.silent} silently`,
    );
  }
  return silent === 0 ? 0 : 1;
});

/** `[{ format, bodies }]`: the members of `Requests`. */
function requests() {
  const file = join(root, "scripts/sdk-bodies/requests.ts");
  const program = ts.createProgram([file], {
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    target: ts.ScriptTarget.ES2022,
    lib: ["lib.es2022.d.ts", "lib.dom.d.ts"],
    strict: true,
    skipLibCheck: true,
    types: ["node"],
  });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const wrong = program.getSemanticDiagnostics(source);
  if (wrong.length > 0) throw new Error(ts.flattenDiagnosticMessageText(wrong[0].messageText, "\n"));
  const [exported] = checker.getExportsOfModule(checker.getSymbolAtLocation(source));
  const formats = checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(exported));
  return formats.map((format) => {
    const samples = new Samples(checker).all(checker.getTypeOfSymbol(format));
    const bodies = samples.map((body) => completed(format.name, body));
    return { format: format.name, bodies };
  });
}

/** What becomes of a body on its way through the canonical format. */
function check({ convertRequest, ToolwireError }, format, body) {
  const warnings = [];
  const options = { ...asRecorded, bookkeeping: true, onWarning: (warning) => warnings.push(warning) };
  const copy = structuredClone(body);
  try {
    const canonical = convertRequest(copy, { ...options, from: format, to: "canonical" });
    const written = convertRequest(canonical, { ...options, from: "canonical", to: format });
    const wrong = differences(plain(body), plain(written));
    const why = warnings.map(({ code, path }) => `${code} ${path}`).join(", ");
    if (wrong === undefined) return { outcome: "same" };
    if (warnings.length > 0) return { outcome: "reported", why: `${wrong} (${why})` };
    return { outcome: documented.some(([difference]) => difference.test(wrong)) ? "documented" : "silent", why: wrong };
  } catch (error) {
    if (!(error instanceof ToolwireError)) throw error;
    return { outcome: "refused", why: `${error.code} at ${JSON.stringify(error.path)}: ${error.message}` };
  }
}

/** With the bytes of an SDK's objects as base64. */
function plain(value) {
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]));
}
