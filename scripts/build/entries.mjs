// The entry points of the package's wasm modules: for each module the same set, one for each way to load its wasm.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { root } from "../lib/run.mjs";
import { conversions, conversionsFile } from "./conversions.mjs";
import { modules } from "./modules.mjs";

/** How an entry for Node reads what lies beside it: as it stands here, so that bundlers and those that trace files see it. */
const beside = {
  esm: (name) => `import{createRequire}from"node:module";
const wasmFile=()=>(process.getBuiltinModule??createRequire(import.meta.url))("node:fs").readFileSync(new URL("./${name}.wasm",import.meta.url));
const wasmText=()=>require("./${name}.wasm.cjs");`,
  cjs: (name) => `const wasmFile=()=>process.getBuiltinModule("node:fs").readFileSync(__dirname+"/${name}.wasm");
const wasmText=()=>require("./${name}.wasm.cjs");`,
};

/**
 * The index is one self-contained file: no bundler can lose a part of it, and nothing is found by path. Edge runtimes compile no
 * bytes, so there the wasm stays a file that the platform's bundler makes a module of.
 */
export function entriesOf(module) {
  const entry = (template, output, format, more) => ({
    source: `pkg-template/entrypoints/${template}`,
    output: `${module.folder}${output}`,
    format,
    module,
    ...more,
  });
  return [
    entry("index.js", "index.js", "esm", { holdsWasm: true }),
    entry("node.js", "node.js", "esm", { banner: beside.esm(module.name) }),
    entry("node.js", "index.cjs", "cjs", { banner: beside.cjs(module.name) }),
    entry("text.cjs", `${module.name}.wasm.cjs`, "cjs", { holdsWasm: true }),
    entry("workerd.js", "workerd.js", "esm"),
    entry("edge-light.js", "edge-light.js", "esm"),
  ];
}

/**
 * What the names in the templates stand for: `module:bytes` is what a line above the entry holds, `module:file` a file beside it.
 * Another entry point of the package is imported as the file of the same kind, which is found without the package's manifest.
 */
const partsOf = (module, output) => ({
  name: "parts-of-module",
  setup(build) {
    build.onResolve({ filter: /^toolwire(\/\w+)?$/ }, ({ path }) => {
      const other = modules.find(({ folder }) => path === join("toolwire", folder).replace(/\/$/, ""));
      return { path: relative(dirname(output), join(other.folder, basename(output))), external: true };
    });
    build.onResolve({ filter: new RegExp(`^${conversions}$`) }, () => ({ path: join(root, conversionsFile) }));
    build.onResolve({ filter: /^module:/ }, ({ path }) => {
      const [, part, query = ""] = path.match(/^module:(\w+)(\?.*)?$/);
      if (part === "bytes") return { path, namespace: "above" };
      if (part === "file") return { path: `./${module.name}.wasm${query}`, external: true };
      return { path: join(root, module[part]) };
    });
    build.onLoad({ filter: /.*/, namespace: "above" }, () => ({ contents: "export default wasmAsText" }));
  },
});

const asWritten = {
  minifyWhitespace: true,
  // V8 reads the wasm's text sooner as a string than as a template, which has two values.
  supported: { "template-literal": false },
  // as it is, not escaped: the text is UTF-8, and a byte above 127 takes two bytes instead of four
  charset: "utf8",
};

/** Functions and classes keep their names, so that a stack trace and `error.constructor.name` say something. Variables do not. */
const shorter = {
  compress: false,
  mangle: { keep_fnames: true, keep_classnames: true },
  // Node shows the line that an uncaught error was thrown in.
  format: { max_line_len: 240 },
};

/** The wasm as a string. Base64 would hide from gzip where bytes begin: it costs a quarter more. */
async function wasmAsText({ wasm }) {
  const { transform } = await import("esbuild");
  const bytes = readFileSync(join(root, wasm)).toString("latin1");
  const { code } = await transform(bytes, { ...asWritten, loader: "text", format: "cjs" });
  return code.replace("module.exports", "const wasmAsText");
}

export async function bundleEntry({ source, output, format, platform = "neutral", module, holdsWasm, ...more }) {
  const [{ build }, { minify }] = await Promise.all([import("esbuild"), import("terser")]);
  const outfile = join(root, "pkg/dist", output);
  const bundle = await build({
    entryPoints: [join(root, source)],
    outfile,
    write: false,
    format,
    bundle: true,
    minifySyntax: true,
    ...asWritten,
    platform,
    external: more.external ?? [],
    target: module?.target ?? "es2020",
    plugins: module ? [partsOf(module, output)] : [],
    logLevel: "warning",
  });
  const { code } = await minify(bundle.outputFiles[0].text, shorter);
  const above = holdsWasm ? await wasmAsText(module) : more.banner;
  mkdirSync(dirname(outfile), { recursive: true });
  writeFileSync(outfile, above ? `${above}\n${code}` : code);
}
