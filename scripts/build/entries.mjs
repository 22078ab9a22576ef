// Builds the entry points of the wasm modules. Each module has the same set: one entry point for each way to load wasm.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { root } from "../lib/run.mjs";
import { conversions, conversionsFile } from "./conversions.mjs";
import { modules } from "./modules.mjs";

/** How an entry point for Node reads the wasm file beside it. Not minified, because bundlers and file tracers search for these expressions. */
const beside = {
  esm: (name) => `import{createRequire}from"node:module";
const wasmFile=()=>(process.getBuiltinModule??createRequire(import.meta.url))("node:fs").readFileSync(new URL("./${name}.wasm",import.meta.url));
const wasmText=()=>require("./${name}.wasm.cjs");`,
  cjs: (name) => `const wasmFile=()=>process.getBuiltinModule("node:fs").readFileSync(__dirname+"/${name}.wasm");
const wasmText=()=>require("./${name}.wasm.cjs");`,
};

/**
 * The index is one self-contained file, so that no bundler can lose a part of it, and no file has to be found at run time. Edge
 * runtimes can't compile bytes, so there the wasm is a separate file, which the platform's bundler turns into a module.
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

/** The same set for a library and for its parts, without the wasm; and what the library has for Node only. */
export function entriesOfLibrary(library) {
  const entry = (source, output, format, more) => ({
    ...{ source, output: `${library.folder}${output}`, format, module: library },
    ...more,
  });
  const forNode = library.exports.replace("index.ts", "serve.ts");
  const set = (source, folder = "") => [
    ...["index.js", "node.js", "workerd.js", "edge-light.js"].map((output) => entry(source, folder + output, "esm")),
    entry(source, `${folder}index.cjs`, "cjs"),
  ];
  return [
    ...set(library.exports),
    ...library.parts.flatMap((part) => set(library.exports.replace("index.ts", `${part}/index.ts`), `${part}/`)),
    entry(forNode, "serve.js", "esm", { platform: "node" }),
    entry(forNode, "serve.cjs", "cjs", { platform: "node" }),
  ];
}

/**
 * Resolves the names in the templates: `module:bytes` is the variable in the first line of the entry point, `module:file` a file beside
 * it. Other entry points of the package are imported by relative path, which does not depend on the package's manifest.
 */
const partsOf = (module, output) => ({
  name: "parts-of-module",
  setup(build) {
    build.onResolve({ filter: /^toolwire(\/\w+)?$/ }, ({ path }) => {
      const other = modules.find(({ folder }) => path === join("toolwire", folder).replace(/\/$/, ""));
      return { path: relative(dirname(output), join(other.folder, basename(output))), external: true };
    });
    // a library imports only what it uses
    build.onResolve({ filter: new RegExp(`^${conversions}$`) }, () =>
      module.wasm === undefined
        ? { path: relative(dirname(output), basename(output)), external: true }
        : { path: join(root, conversionsFile) },
    );
    // a part of a library is a file of its own, with the name of the one that loads it
    build.onResolve({ filter: /^\.\/\w+\/index\.js$/ }, ({ path, kind }) =>
      kind === "dynamic-import" ? { path: path.replace("index.js", basename(output)), external: true } : undefined,
    );
    // what was generated for this build of the conversions
    build.onResolve({ filter: /\/build\/generated\/toolwire\// }, ({ path }) => {
      return { path: join(root, module.generated, basename(path)) };
    });
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
  // V8 parses a string faster than a template literal, which has a raw and a cooked value
  supported: { "template-literal": false },
  // not escaped: in UTF-8, a byte above 127 takes two bytes instead of the four of an escape
  charset: "utf8",
};

const named = { keep_fnames: true, keep_classnames: true };

/** Functions and classes keep their names, for stack traces and `error.constructor.name`. Variables are shortened. */
const shorter = {
  compress: { ...named, ecma: 2020, inline: false, reduce_funcs: false },
  mangle: named,
  // Node prints the whole line in which an uncaught error was thrown
  format: { max_line_len: 240 },
};

/** Libraries contain no large functions that are called often, so that they are made as small as possible. */
const smallest = {
  compress: { keep_classnames: true, ecma: 2022, passes: 3 },
  mangle: { keep_classnames: true },
  format: { max_line_len: 500 },
};

/** The wasm as a string with one character per byte. Base64 would be a quarter larger under gzip, because it does not align with bytes. */
async function wasmAsText({ wasm }) {
  const { transform } = await import("esbuild");
  const bytes = readFileSync(join(root, wasm)).toString("latin1");
  const { code } = await transform(bytes, { ...asWritten, loader: "text", format: "cjs" });
  return code.replace("module.exports", "const wasmAsText");
}

export async function bundleEntry({ source, output, format, platform = "neutral", module, holdsWasm, ...more }) {
  const [{ build }, { minify }] = await Promise.all([import("esbuild"), import("terser")]);
  const isLibrary = module !== undefined && module.wasm === undefined;
  const outfile = join(root, "pkg/dist", output);
  // the names in a library are shortened: in Node, a map restores them in stacks (--enable-source-maps)
  const hasMap = isLibrary && /(node|serve)\.js$/.test(output);
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
    // a file of a library that is required requires its parts
    ...(isLibrary && { supported: format === "cjs" ? { "dynamic-import": false } : {} }),
    target: module?.target ?? "es2020",
    plugins: module ? [partsOf(module, output)] : [],
    sourcemap: hasMap && "external",
    logLevel: "warning",
  });
  const [script, map] = ["", ".map"].map((end) => bundle.outputFiles.find(({ path }) => path === outfile + end)?.text);
  const minified = await minify(script, {
    ...(isLibrary ? { ...smallest, module: format === "esm" } : shorter),
    ...(hasMap && { sourceMap: { content: map, url: `${basename(outfile)}.map`, includeSources: true } }),
  });
  const { code } = minified;
  const above = holdsWasm ? await wasmAsText(module) : more.banner;
  mkdirSync(dirname(outfile), { recursive: true });
  writeFileSync(outfile, above ? `${above}\n${code}` : code);
  if (hasMap) writeFileSync(`${outfile}.map`, minified.map);
}

/** What a module without imports from the package exports, such as a table. */
export async function exportsOf(source) {
  const { build } = await import("esbuild");
  const { outputFiles } = await build({ entryPoints: [join(root, source)], bundle: true, write: false, format: "esm" });
  return import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
}
