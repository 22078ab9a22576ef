// Where the package must work: runtimes, bundlers and compilers, with the exact versions that are tested.
//
// `packages` are installed in a clean project, next to the package. An entry is one way of loading the package there:
// - `build` builds it, if necessary.
// - `run` prints the outcome of consumer/uses.js (with `readme`, of consumer/readme.js; with `toolkit` or `text`, of
//   consumer/toolkit-uses.js or consumer/text-uses.js). Instead of `run`, `page` names a page that sets the outcome as a global in
//   Chromium, or `serve` starts a server that responds with it at `path`.
// - `recipe` sends a request to a route with the recipe of docs/recipes/nextjs.md.
// - `gateway` serves examples/gateway. PORT is replaced by a free port.
// - `loads` lists the only files of the package's code that exist while the entry runs, and `emits` a folder in which the build must
//   have written a wasm.
// - `inTests` marks what `npm test` runs; the rest takes longer.
//
// Without `workers`, tools can't run in workers of the runtime.

import { readFileSync } from "node:fs";

const bin = (name) => `node_modules/.bin/${name}`;
/** Node's binaries, without the script that selects one at installation. */
const nodePackage = `node-${process.platform.replace("win32", "win")}-${process.arch}`;
const whole = ["index.js"];
const required = ["index.cjs", "toolwire.wasm.cjs"];
const node = ["node.js", "toolwire.wasm"];
const nodeRequired = ["index.cjs", "toolwire.wasm"];
const slim = ["slim.js", "toolwire.wasm"];
const edge = ["edge-light.js", "toolwire.wasm"];
const worker = ["workerd.js", "toolwire.wasm"];
/** The files of `toolwire/common` that correspond to those of `toolwire`. */
const ofCommon = (files) => files.map((file) => `common/${file.replace("toolwire", "common")}`);
/** The given files of `toolwire`, which `toolwire/toolkit` imports, and its own. */
const ofToolkit = (files) => [...files, ...files.map((file) => `toolkit/${file.replace("toolwire", "toolkit")}`)];
/** The given files of `toolwire`, which `toolwire/text` imports, and its own. */
const ofText = (files) => [...files, ...files.map((file) => `text/${file.replace("toolwire", "text")}`)];
/** The given files of `toolwire`, which `toolwire/gateway` imports, its own, and what it loads for a list of models. */
const ofGateway = (files) => [
  ...files,
  ...files.filter((file) => file.endsWith("js")).flatMap((file) => [`gateway/${file}`, `gateway/more/${file}`]),
];
/** Vite builds all pages together. */
const withVite = [...new Set([...whole, ...slim, ...ofToolkit(whole), ...ofText(whole)])];
const toolkit = (files, more) => ({ toolkit: true, loads: ofToolkit(files), ...more });
const text = (files, more) => ({ text: true, loads: ofText(files), ...more });

const nodeVersion = (version, more) => ({
  packages: { [nodePackage]: version },
  entries: {
    import: { loads: node, run: [bin("node"), "esm.js"] },
    require: { loads: nodeRequired, run: [bin("node"), "cjs.cjs"] },
    common: { loads: ofCommon(node), run: [bin("node"), "common.js"] },
    "common, required": { loads: ofCommon(nodeRequired), run: [bin("node"), "common.cjs"] },
    slim: { loads: slim, run: [bin("node"), "slim.js"] },
    "slim, required": { loads: ["slim.cjs", "toolwire.wasm"], run: [bin("node"), "slim.cjs"] },
    gateway: { loads: [...ofGateway(node), "gateway/serve.js"], gateway: [bin("node"), "gateway/node.js", "PORT"] },
    toolkit: toolkit(node, { run: [bin("node"), "toolkit.js"] }),
    "toolkit, required": toolkit(nodeRequired, { run: [bin("node"), "toolkit.cjs"] }),
    text: text(node, { run: [bin("node"), "text.js"] }),
    "text, required": text(nodeRequired, { run: [bin("node"), "text.cjs"] }),
  },
  ...more,
});

const typescript = (version) => {
  const entries = {};
  for (const resolution of ["node16", "bundler"]) {
    const out = `out/${resolution}`;
    const build = [bin("tsc"), "-p", `typescript/${resolution}.json`, "--outDir", out];
    const entry = (file, loads) => ({ loads, build, run: ["node", `${out}/typescript/${file}`] });
    entries[`${resolution}, import`] = entry("esm.mjs", node);
    entries[`${resolution}, slim`] = entry("slim.mjs", slim);
    entries[`${resolution}, toolkit`] = { ...entry("toolkit.mjs", ofToolkit(node)), toolkit: true };
    entries[`${resolution}, text`] = { ...entry("text.mjs", ofText(node)), text: true };
    if (resolution === "node16") entries[`${resolution}, require`] = entry("cjs.cjs", nodeRequired);
  }
  return { packages: { typescript: version, "@types/node": "20.19.43" }, entries };
};

const root = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
const pinned = (...names) => Object.fromEntries(names.map((name) => [name, root.devDependencies[name]]));

/** The programs of two guides as a user has them: copied to an empty project, compiled in strict mode with the SDKs installed. */
const readme = () => {
  const entries = {};
  for (const compiler of ["typescript", "typescript-5.4"]) {
    const out = `out/${compiler}`;
    const build = ["node", `node_modules/${compiler}/bin/tsc`, "-p", "readme", "--outDir", out];
    entries[compiler] = { loads: [...node, "gateway/serve.js"], readme: true, build, run: ["node", "readme.js", out] };
  }
  const sdks = ["openai", "@anthropic-ai/sdk", "@google/genai"];
  return { packages: pinned("typescript", "typescript-5.4", "@types/node", ...sdks), entries };
};

/** `folder` is the folder of the routes, `base` their common path, `main` the files that Node routes load. */
const next = (bundler, folder, base, main) => {
  const build = [bin("next"), "build", folder, `--${bundler}`];
  const serve = [bin("next"), "start", folder, "-H", "127.0.0.1", "-p", "PORT"];
  const loads = [...new Set([...ofToolkit(main), ...ofToolkit(edge), ...ofText(edge)])];
  const route = (name, emits) => ({ loads, build, serve, path: `${base}${name}`, emits });
  const entries = { "edge route": route("edge", `${folder}/.next/server`), "node route": route("node") };
  if (folder === ".") {
    entries["toolkit, edge route"] = { ...route("toolkit"), toolkit: true, workers: false };
    entries["text, edge route"] = { ...route("text"), text: true };
    entries["recipe, node route"] = { ...route("recipe-node"), recipe: true };
    entries["recipe, edge route"] = { ...route("recipe-edge"), recipe: true };
  }
  return { packages: { next: "16.4.6", react: "19.3.1", "react-dom": "19.3.1" }, entries };
};

export const runtimes = {
  "node-20": nodeVersion("20.20.2"),
  "node-22": nodeVersion("22.23.3"),
  "node-24": nodeVersion("24.21.0", { inTests: true }),
  deno: {
    inTests: true,
    packages: { deno: "2.9.6" },
    entries: {
      import: { loads: whole, run: [bin("deno"), "run", "esm.js"] },
      require: { loads: required, run: [bin("deno"), "run", "cjs.cjs"] },
      common: { loads: ofCommon(whole), run: [bin("deno"), "run", "common.js"] },
      slim: { loads: slim, run: [bin("deno"), "run", "--allow-read=.", "slim.js"] },
      toolkit: toolkit(whole, { run: [bin("deno"), "run", "toolkit.js"] }),
      text: text(whole, { run: [bin("deno"), "run", "text.js"] }),
      gateway: {
        loads: ofGateway(whole),
        gateway: [bin("deno"), "serve", "--allow-net", "--allow-env", "--port", "PORT", "gateway/gateway.js"],
      },
    },
  },
  bun: {
    inTests: true,
    packages: { bun: "1.4.5" },
    entries: {
      import: { loads: whole, run: [bin("bun"), "esm.js"] },
      require: { loads: required, run: [bin("bun"), "cjs.cjs"] },
      common: { loads: ofCommon(whole), run: [bin("bun"), "common.js"] },
      slim: { loads: slim, run: [bin("bun"), "slim.js"] },
      toolkit: toolkit(whole, { run: [bin("bun"), "toolkit.js"] }),
      text: text(whole, { run: [bin("bun"), "text.js"] }),
      gateway: { loads: ofGateway(whole), gateway: [bin("bun"), "gateway/gateway.js"] },
    },
  },
  workerd: {
    inTests: true,
    // the newest miniflare requires Node 22
    packages: { miniflare: "4.20260730.0", esbuild: "0.28.2", [nodePackage]: "22.23.3" },
    entries: {
      import: { loads: worker, run: [bin("node"), "workerd/run.js", "workerd/worker.js"] },
      common: { loads: ofCommon(worker), run: [bin("node"), "workerd/run.js", "workerd/common.js"] },
      slim: { loads: slim, run: [bin("node"), "workerd/run.js", "workerd/slim.js"] },
      toolkit: toolkit(worker, { run: [bin("node"), "workerd/run.js", "workerd/toolkit.js"], workers: false }),
      text: text(worker, { run: [bin("node"), "workerd/run.js", "workerd/text.js"] }),
      gateway: { loads: ofGateway(worker), gateway: [bin("node"), "workerd/run.js", "gateway/gateway.js", "PORT"] },
    },
  },
  chromium: {
    packages: {},
    entries: {
      page: { loads: whole, page: "unbundled/page.js" },
      "module worker": { loads: whole, page: "unbundled/starts-worker.js" },
      slim: { loads: slim, page: "unbundled/slim.js" },
      toolkit: toolkit(whole, { page: "unbundled/toolkit.js" }),
      text: text(whole, { page: "unbundled/text.js" }),
    },
  },
  vite: {
    packages: { vite: "8.3.8" },
    entries: {
      build: { loads: withVite, build: [bin("vite"), "build"], page: "vite/index.html" },
      dev: {
        loads: withVite,
        serve: [bin("vite"), "--host", "127.0.0.1", "--port", "PORT", "--strictPort"],
        page: "index.html",
      },
      slim: { loads: withVite, build: [bin("vite"), "build"], page: "vite/slim.html" },
      toolkit: { toolkit: true, loads: withVite, build: [bin("vite"), "build"], page: "vite/toolkit.html" },
      text: { text: true, loads: withVite, build: [bin("vite"), "build"], page: "vite/text.html" },
    },
  },
  webpack: {
    packages: { webpack: "5.112.2", "webpack-cli": "7.3.1" },
    entries: {
      web: {
        loads: whole,
        build: [bin("webpack"), "--mode", "production", "--entry", "./page.js", "-o", "webpack/page"],
        page: "webpack/page/main.js",
      },
      node: {
        loads: whole,
        build: [
          ...[bin("webpack"), "--mode", "production", "--entry", "./esm.js", "-o", "webpack/node"],
          ...["--target", "node", "--output-filename", "main.cjs"],
        ],
        run: ["node", "webpack/node/main.cjs"],
      },
      toolkit: toolkit(whole, {
        build: [bin("webpack"), "--mode", "production", "--entry", "./toolkit-page.js", "-o", "webpack/toolkit"],
        page: "webpack/toolkit/main.js",
      }),
      text: text(whole, {
        build: [bin("webpack"), "--mode", "production", "--entry", "./text-page.js", "-o", "webpack/text"],
        page: "webpack/text/main.js",
      }),
      slim: {
        loads: slim,
        build: [bin("webpack"), "--mode", "production", "--entry", "./page-slim-url.js", "-o", "webpack/slim"],
        page: "webpack/slim/main.js",
      },
    },
  },
  esbuild: {
    packages: { esbuild: "0.28.2" },
    entries: {
      "web, one script": {
        loads: whole,
        build: [bin("esbuild"), "page.js", "--bundle", "--minify", "--format=iife", "--outfile=esbuild/page.js"],
        page: "esbuild/page.js",
      },
      "node, import": {
        loads: whole,
        build: [bin("esbuild"), "esm.js", "--bundle", "--platform=node", "--format=esm", "--outfile=esbuild/esm.js"],
        run: ["node", "esbuild/esm.js"],
      },
      "node, require": {
        loads: whole,
        build: [bin("esbuild"), "cjs.cjs", "--bundle", "--platform=node", "--outfile=esbuild/cjs.cjs"],
        run: ["node", "esbuild/cjs.cjs"],
      },
      // with these, esbuild omits the condition `module`, which other bundlers always have
      "node, other conditions": {
        loads: ["node.js", "toolwire.wasm.cjs"],
        build: [
          ...[bin("esbuild"), "esm.js", "--bundle", "--platform=node", "--format=esm"],
          ...["--conditions=other", "--outfile=esbuild/other.js"],
        ],
        run: ["node", "esbuild/other.js"],
      },
      toolkit: toolkit(whole, {
        build: [
          bin("esbuild"),
          "toolkit.js",
          "--bundle",
          "--platform=node",
          "--format=esm",
          "--outfile=esbuild/toolkit.js",
        ],
        run: ["node", "esbuild/toolkit.js"],
      }),
      text: text(whole, {
        build: [bin("esbuild"), "text-page.js", "--bundle", "--minify", "--format=iife", "--outfile=esbuild/text.js"],
        page: "esbuild/text.js",
      }),
      slim: {
        loads: slim,
        build: [
          ...[bin("esbuild"), "page-slim-import.js", "--bundle", "--format=esm"],
          ...["--loader:.wasm=file", "--public-path=/esbuild/slim", "--outdir=esbuild/slim"],
        ],
        page: "esbuild/slim/page-slim-import.js",
      },
    },
  },
  rollup: {
    packages: { rollup: "4.68.7", "@rollup/plugin-node-resolve": "16.0.3" },
    entries: {
      "web, one script": {
        loads: whole,
        build: [bin("rollup"), "page.js", "-p", "node-resolve", "-f", "iife", "-o", "rollup/page.js"],
        page: "rollup/page.js",
      },
      node: {
        loads: whole,
        build: [bin("rollup"), "esm.js", "-p", "node-resolve", "-f", "es", "-o", "rollup/esm.js"],
        run: ["node", "rollup/esm.js"],
      },
      toolkit: toolkit(whole, {
        build: [bin("rollup"), "toolkit-page.js", "-p", "node-resolve", "-f", "iife", "-o", "rollup/toolkit.js"],
        page: "rollup/toolkit.js",
      }),
      text: text(whole, {
        build: [bin("rollup"), "text-page.js", "-p", "node-resolve", "-f", "iife", "-o", "rollup/text.js"],
        page: "rollup/text.js",
      }),
      "node, slim": {
        loads: slim,
        build: [bin("rollup"), "slim.js", "-p", "node-resolve", "-f", "es", "-o", "rollup/slim.js"],
        run: ["node", "rollup/slim.js"],
      },
    },
  },
  "vercel-nft": {
    packages: { "@vercel/nft": "1.11.5" },
    entries: {
      import: { loads: node, build: ["node", "traced.js", "esm.js"], run: ["node", "traced/esm.js"] },
      require: { loads: nodeRequired, build: ["node", "traced.js", "cjs.cjs"], run: ["node", "traced/cjs.cjs"] },
      text: text(node, { build: ["node", "traced.js", "text.js"], run: ["node", "traced/text.js"] }),
    },
  },
  next: next("turbopack", ".", "", whole),
  // With webpack, Next.js 16.4.6 can't build any edge route of the app router. Node routes of the pages router don't bundle packages.
  "next-webpack": next("webpack", "pages-router", "api/", node),
  "typescript-5.4": typescript("5.4.5"),
  "typescript-7": typescript("7.0.2"),
  readme: { ...readme(), inTests: true },
};
