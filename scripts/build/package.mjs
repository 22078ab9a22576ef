// Builds pkg/ from the glue and the entry points, ready to publish.

import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tableOfDialects } from "../lib/dialects.mjs";
import { root } from "../lib/run.mjs";
import { whenChanged } from "../lib/stamps.mjs";
import { generateConversions } from "./conversions.mjs";
import { commonJsTypes, emitDeclarations } from "./declarations.mjs";
import { copyDocuments, documents } from "./documents.mjs";
import { bundleEntry, entriesOf, entriesOfLibrary, exportsOf } from "./entries.mjs";
import { generateFacade } from "./facade.mjs";
import { generateFacts } from "./facts.mjs";
import { generateGlue } from "./glue.mjs";
import { manifest, manifestSources } from "./manifest.mjs";
import { libraries, moduleNamed, modules } from "./modules.mjs";
import { acceptUndefinedBelow } from "./optional.mjs";

const toolwire = moduleNamed("toolwire");
const others = modules.filter((module) => module !== toolwire);

const ofToolwire = entriesOf(toolwire);
const ofOthers = [
  ...others.flatMap(entriesOf),
  ...libraries.flatMap(entriesOfLibrary),
  { source: "pkg-template/entrypoints/slim.js", output: "slim.js", format: "esm" },
  { source: "pkg-template/entrypoints/slim.js", output: "slim.cjs", format: "cjs" },
  // the command imports the package by name, like any other user
  {
    source: "pkg-template/command/main.js",
    output: "command.js",
    format: "esm",
    platform: "node",
    external: ["toolwire", ...[...others, ...libraries].map(({ name }) => `toolwire/${name}`), "toolwire/gateway/node"],
  },
];
const entries = [...ofToolwire, ...ofOthers];
/** Files that are copied unchanged: path below `dist/` → source. */
const copies = {
  ...Object.fromEntries(modules.map(({ name, folder, wasm }) => [`${folder}${name}.wasm`, wasm])),
  "toolwire.wasm.d.ts": "pkg-template/entrypoints/wasm.d.ts",
  "index.d.ts": `${toolwire.glue}/toolwire.d.ts`,
  "index.d.cts": `${toolwire.glue}/toolwire.d.ts`,
  "slim.d.ts": "pkg-template/entrypoints/slim.d.ts",
};

/** With wasm that is not optimised, npm refuses to publish the package. */
export async function buildPackage(areOptimised) {
  const built = modules.flatMap(({ glue, wasm }) => [glue, wasm]);
  await whenChanged({
    name: "package",
    inputs: [
      ...built,
      tableOfDialects,
      "pkg-template",
      ...manifestSources,
      ...documents,
      "package-lock.json",
      "scripts/build",
    ],
    outputs: ["pkg/package.json", ...entries.map(({ output }) => `pkg/dist/${output}`)],
    build: async () => {
      await generateFacade();
      for (const module of others) await generateGlue(module);
      generateFacts();
      rmSync(join(root, "pkg"), { recursive: true, force: true });
      mkdirSync(join(root, "pkg/dist"), { recursive: true });
      for (const entry of ofToolwire) await bundleEntry(entry);
      await generateConversions();
      for (const entry of ofOthers) await bundleEntry(entry);
      for (const [name, source] of Object.entries(copies))
        copyFileSync(join(root, source), join(root, "pkg/dist", name));
      const slim = readFileSync(join(root, "pkg-template/entrypoints/slim.d.ts"), "utf8");
      writeFileSync(join(root, "pkg/dist/slim.d.cts"), commonJsTypes(slim));
      for (const module of [...others, ...libraries]) emitDeclarations(module);
      const { configSchema } = await exportsOf("pkg-template/gateway/schema.ts");
      writeFileSync(join(root, "pkg/dist/gateway/schema.json"), `${JSON.stringify(configSchema, undefined, 2)}\n`);
      acceptUndefinedBelow("pkg/dist");
      copyDocuments(join(root, "pkg"));
      writeFileSync(join(root, "pkg/package.json"), manifest({ private: !areOptimised }));
    },
  });
}
