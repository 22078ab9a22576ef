// Glue + entry points → pkg/, ready to publish.

import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../lib/run.mjs";
import { whenChanged } from "../lib/stamps.mjs";
import { generateFacade } from "./facade.mjs";
import { cargoField, generateFacts } from "./facts.mjs";
import { glueFolder, wasmFile } from "./wasm.mjs";

const text = "toolwire.wasm.cjs";
/** How an entry for Node reads what lies beside it: as it stands here, so that bundlers and those that trace files see it. */
const beside = {
  esm: `import{createRequire}from"node:module";
const wasmFile=()=>(process.getBuiltinModule??createRequire(import.meta.url))("node:fs").readFileSync(new URL("./toolwire.wasm",import.meta.url));
const wasmText=()=>require("./${text}");`,
  cjs: `const wasmFile=()=>process.getBuiltinModule("node:fs").readFileSync(__dirname+"/toolwire.wasm");
const wasmText=()=>require("./${text}");`,
};

/**
 * The index is one self-contained file: no bundler can lose a part of it, and nothing is found by path. Edge runtimes compile no
 * bytes, so there the wasm stays a file that the platform's bundler makes a module of.
 */
const entries = [
  { source: "pkg-template/entrypoints/index.js", output: "index.js", format: "esm", holdsWasm: true },
  { source: "pkg-template/entrypoints/node.js", output: "node.js", format: "esm", banner: beside.esm },
  { source: "pkg-template/entrypoints/node.js", output: "index.cjs", format: "cjs", banner: beside.cjs },
  { source: "pkg-template/entrypoints/text.cjs", output: text, format: "cjs", holdsWasm: true },
  { source: "pkg-template/entrypoints/workerd.js", output: "workerd.js", format: "esm", external: ["./toolwire.wasm"] },
  {
    source: "pkg-template/entrypoints/edge-light.js",
    output: "edge-light.js",
    format: "esm",
    external: ["./toolwire.wasm?module"],
  },
  { source: "pkg-template/entrypoints/slim.js", output: "slim.js", format: "esm" },
  { source: "pkg-template/entrypoints/slim.js", output: "slim.cjs", format: "cjs" },
  // The command takes the package by its name, as any other user of it.
  {
    source: "pkg-template/command/main.js",
    output: "command.js",
    format: "esm",
    platform: "node",
    external: ["toolwire"],
  },
];
/** What lies beside them as it is: file below dist → where it comes from. */
const copies = {
  "toolwire.wasm": wasmFile,
  "toolwire.wasm.d.ts": "pkg-template/entrypoints/wasm.d.ts",
  "index.d.ts": `${glueFolder}/toolwire.d.ts`,
  "index.d.cts": `${glueFolder}/toolwire.d.ts`,
  "slim.d.ts": "pkg-template/entrypoints/slim.d.ts",
};
const documents = ["README.md", "LICENSE-MIT", "LICENSE-APACHE"];

export async function buildPackage() {
  await whenChanged("package", {
    inputs: [glueFolder, wasmFile, "pkg-template", "Cargo.toml", ...documents, "package-lock.json", "scripts/build"],
    outputs: ["pkg/package.json", ...entries.map(({ output }) => `pkg/dist/${output}`)],
    build: async () => {
      await generateFacade();
      generateFacts();
      rmSync(join(root, "pkg"), { recursive: true, force: true });
      mkdirSync(join(root, "pkg/dist"), { recursive: true });
      for (const entry of entries) await bundleEntry(entry);
      for (const [name, source] of Object.entries(copies))
        copyFileSync(join(root, source), join(root, "pkg/dist", name));
      writeFileSync(join(root, "pkg/dist/slim.d.cts"), commonJsTypes("pkg-template/entrypoints/slim.d.ts"));
      for (const name of documents) copyFileSync(join(root, name), join(root, "pkg", name));
      writeFileSync(join(root, "pkg/package.json"), manifest());
    },
  });
}

/** What an entry says that imports the wasm: a line above it has the text. */
const wasmAbove = {
  name: "wasm-above",
  setup(build) {
    build.onLoad({ filter: /\.wasm$/ }, () => ({ contents: "export default wasmAsText" }));
  },
};

const asWritten = {
  minifyWhitespace: true,
  // V8 reads the wasm's text sooner as a string than as a template, which has two values.
  supported: { "template-literal": false },
  // as it is, not escaped: the text is UTF-8, and a byte above 127 takes two bytes instead of four
  charset: "utf8",
};

/** The wasm as a string. Base64 would hide from gzip where bytes begin: it costs a quarter more. */
async function wasmAsText() {
  const { transform } = await import("esbuild");
  const bytes = readFileSync(join(root, wasmFile)).toString("latin1");
  const { code } = await transform(bytes, { ...asWritten, loader: "text", format: "cjs" });
  return code.replace("module.exports", "const wasmAsText");
}

async function bundleEntry({ source, output, format, platform = "neutral", holdsWasm, external = [], banner = "" }) {
  const { build } = await import("esbuild");
  const above = holdsWasm ? await wasmAsText() : banner;
  await build({
    entryPoints: [join(root, source)],
    outfile: join(root, "pkg/dist", output),
    format,
    bundle: true,
    // Names stay, so that a stack trace and `error.constructor.name` say something.
    minifySyntax: true,
    ...asWritten,
    // Node shows the line that an uncaught error was thrown in.
    lineLimit: 240,
    platform,
    external,
    target: "es2020",
    banner: { js: above },
    plugins: [wasmAbove],
    logLevel: "warning",
  });
}

/** The same types, importing their CommonJS neighbours. */
function commonJsTypes(file) {
  return readFileSync(join(root, file), "utf8").replace('"./index.js"', '"./index.cjs"');
}

function manifest() {
  const template = JSON.parse(readFileSync(join(root, "pkg-template/package.json"), "utf8"));
  const filled = { ...template, version: cargoField("version"), description: cargoField("description") };
  return `${JSON.stringify(filled, undefined, 2)}\n`;
}
