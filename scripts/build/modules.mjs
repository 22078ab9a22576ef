// The wasm files of the package. All come from one crate, and cargo features select what each contains. To add an entry point with a
// wasm file of its own, add a row.

/** Inlining costs of LLVM: a function is inlined if that makes the code smaller, as it always does for a function with one caller. */
const smallest = ["-Cllvm-args=-inline-threshold=5 -inline-instr-cost=5 -inline-call-penalty=15"];

/**
 * - `name`: of the wasm file, and of the folders of what is built on the way to it;
 * - `features`: the cargo features of the build;
 * - `profile`: the cargo profile;
 * - `flags`: of rustc, beside those in .cargo/config.toml;
 * - `passes`: of wasm-opt: for speed, or for size;
 * - `folder`: where the entry points are, below `dist/`;
 * - `target`: the oldest JavaScript that its entry points run on;
 * - `runtime`: exports `useModule`, which is given the function that loads the WebAssembly.Module;
 * - `exports`: what every entry point exports.
 */
const rows = [
  {
    name: "toolwire",
    features: "all-formats",
    profile: "release",
    flags: [],
    passes: ["-O3"],
    folder: "",
    target: "es2020",
    runtime: "pkg-template/runtime/instance.js",
    exports: "pkg-template/entrypoints/public.js",
  },
  {
    name: "text",
    features: "text",
    profile: "small",
    flags: smallest,
    passes: ["-Oz", "--converge", "--skip-pass=inlining-optimizing"],
    folder: "text/",
    target: "es2022",
    runtime: "pkg-template/text/core/instance.ts",
    exports: "pkg-template/text/index.ts",
  },
  {
    name: "toolkit",
    features: "toolkit",
    profile: "small",
    flags: smallest,
    passes: ["-Oz", "--converge", "--skip-pass=inlining-optimizing"],
    folder: "toolkit/",
    target: "es2022",
    runtime: "pkg-template/toolkit/core/instance.ts",
    exports: "pkg-template/toolkit/index.ts",
  },
];

/**
 * Entry points without a wasm file of their own: they use that of `toolwire`. `sources` are what declarations are emitted of. `parts` are folders of
 * sources that are loaded only when they are needed: what imports them does so dynamically, and each is a file of its own.
 */
export const libraries = [
  {
    name: "gateway",
    folder: "gateway/",
    target: "es2022",
    exports: "pkg-template/gateway/index.ts",
    sources: ["index", "serve"],
    parts: ["more"],
  },
];

const withFiles = (row) => ({
  ...row,
  /** What wasm-bindgen makes: the wasm, its JavaScript glue, the snippets that Rust imports, the types. */
  glue: `build/glue/${row.name}`,
  wasm: `build/wasm/${row.name}.wasm`,
  /** Modules that depend on what the crate exports. */
  generated: `build/generated/${row.name}`,
});

export const modules = rows.map(withFiles);

/** The conversions between the formats of OpenAI, Anthropic and Google only: an entry point for programs that need no others. */
export const common = withFiles({ ...rows[0], name: "common", features: "conversions", folder: "common/" });

/** The conversions of the playground, with the map of what came from where. They are not in the package. */
export const page = withFiles({ ...rows[0], name: "page", features: "all-formats trace" });

export function moduleNamed(name) {
  return modules.find((module) => module.name === name);
}
