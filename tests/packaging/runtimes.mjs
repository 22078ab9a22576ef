// Where the package is to work: runtimes, bundlers and compilers, with the exact versions that it is tried in.
//
// `packages` is what a clean project has beside the package. An entry is one way of taking it there: `build` makes what runs, and
// then `run` prints the outcome of consumer/uses.js, or the `page` leaves it in a global of Chromium's, or the server that `serve`
// starts has it under `path`. `gateway` serves examples/gateway. PORT stands for a free port. `inTests` is what `npm test` takes; the
// rest takes longer.

const bin = (name) => `node_modules/.bin/${name}`;

const node = (version, more) => ({
  packages: { node: version },
  entries: {
    import: { run: [bin("node"), "esm.js"] },
    require: { run: [bin("node"), "cjs.cjs"] },
    slim: { run: [bin("node"), "slim.js"] },
    "slim, required": { run: [bin("node"), "slim.cjs"] },
    gateway: { gateway: [bin("node"), "gateway/node.js", "PORT"] },
  },
  ...more,
});

const typescript = (version) => {
  const entries = {};
  for (const resolution of ["node16", "bundler"]) {
    const out = `out/${resolution}`;
    const build = [bin("tsc"), "-p", `typescript/${resolution}.json`, "--outDir", out];
    const compiled = { import: "esm.mjs", slim: "slim.mjs", ...(resolution === "node16" && { require: "cjs.cjs" }) };
    for (const [how, file] of Object.entries(compiled)) {
      entries[`${resolution}, ${how}`] = { build, run: ["node", `${out}/typescript/${file}`] };
    }
  }
  return { packages: { typescript: version, "@types/node": "20.19.43" }, entries };
};

/** `folder` is where the routes are, `base` their common path. */
const next = (bundler, folder, base) => {
  const build = [bin("next"), "build", folder, `--${bundler}`];
  const serve = [bin("next"), "start", folder, "-H", "127.0.0.1", "-p", "PORT"];
  const route = (name) => ({ build, serve, path: `${base}${name}` });
  return {
    packages: { next: "16.4.6", react: "19.3.1", "react-dom": "19.3.1" },
    entries: { "edge route": route("edge"), "node route": route("node") },
  };
};

export const runtimes = {
  "node-20": node("20.20.2"),
  "node-22": node("22.23.3"),
  "node-24": node("24.21.0", { inTests: true }),
  deno: {
    inTests: true,
    packages: { deno: "2.9.6" },
    entries: {
      import: { run: [bin("deno"), "run", "esm.js"] },
      require: { run: [bin("deno"), "run", "cjs.cjs"] },
      slim: { run: [bin("deno"), "run", "--allow-read=.", "slim.js"] },
      gateway: {
        gateway: [bin("deno"), "serve", "--allow-net", "--allow-env", "--port", "PORT", "gateway/gateway.js"],
      },
    },
  },
  bun: {
    inTests: true,
    packages: { bun: "1.4.5" },
    entries: {
      import: { run: [bin("bun"), "esm.js"] },
      require: { run: [bin("bun"), "cjs.cjs"] },
      slim: { run: [bin("bun"), "slim.js"] },
      gateway: { gateway: [bin("bun"), "gateway/gateway.js"] },
    },
  },
  workerd: {
    inTests: true,
    // miniflare's newest runs in Node 22 or newer only
    packages: { miniflare: "4.20260730.0", esbuild: "0.28.2", node: "22.23.3" },
    entries: {
      import: { run: [bin("node"), "workerd/run.js", "workerd/worker.js"] },
      slim: { run: [bin("node"), "workerd/run.js", "workerd/slim.js"] },
      gateway: { gateway: [bin("node"), "workerd/run.js", "gateway/gateway.js", "PORT"] },
    },
  },
  chromium: {
    packages: {},
    entries: {
      page: { page: "unbundled/page.js" },
      "module worker": { page: "unbundled/starts-worker.js" },
      slim: { page: "unbundled/slim.js" },
    },
  },
  vite: {
    packages: { vite: "8.3.8" },
    entries: {
      build: { build: [bin("vite"), "build"], page: "vite/index.html" },
      dev: { serve: [bin("vite"), "--host", "127.0.0.1", "--port", "PORT", "--strictPort"], page: "index.html" },
      slim: { build: [bin("vite"), "build"], page: "vite/slim.html" },
    },
  },
  webpack: {
    packages: { webpack: "5.112.2", "webpack-cli": "7.3.1" },
    entries: {
      web: {
        build: [bin("webpack"), "--mode", "production", "--entry", "./page.js", "-o", "webpack/page"],
        page: "webpack/page/main.js",
      },
      node: {
        build: [
          ...[bin("webpack"), "--mode", "production", "--entry", "./esm.js", "-o", "webpack/node"],
          ...["--target", "node", "--output-filename", "main.cjs"],
        ],
        run: ["node", "webpack/node/main.cjs"],
      },
      slim: {
        build: [bin("webpack"), "--mode", "production", "--entry", "./page-slim-url.js", "-o", "webpack/slim"],
        page: "webpack/slim/main.js",
      },
    },
  },
  esbuild: {
    packages: { esbuild: "0.28.2" },
    entries: {
      "web, one script": {
        build: [bin("esbuild"), "page.js", "--bundle", "--minify", "--format=iife", "--outfile=esbuild/page.js"],
        page: "esbuild/page.js",
      },
      "node, import": {
        build: [bin("esbuild"), "esm.js", "--bundle", "--platform=node", "--format=esm", "--outfile=esbuild/esm.js"],
        run: ["node", "esbuild/esm.js"],
      },
      "node, require": {
        build: [bin("esbuild"), "cjs.cjs", "--bundle", "--platform=node", "--outfile=esbuild/cjs.cjs"],
        run: ["node", "esbuild/cjs.cjs"],
      },
      slim: {
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
        build: [bin("rollup"), "page.js", "-p", "node-resolve", "-f", "iife", "-o", "rollup/page.js"],
        page: "rollup/page.js",
      },
      node: {
        build: [bin("rollup"), "esm.js", "-p", "node-resolve", "-f", "es", "-o", "rollup/esm.js"],
        run: ["node", "rollup/esm.js"],
      },
      "node, slim": {
        build: [bin("rollup"), "slim.js", "-p", "node-resolve", "-f", "es", "-o", "rollup/slim.js"],
        run: ["node", "rollup/slim.js"],
      },
    },
  },
  next: next("turbopack", ".", ""),
  // With webpack Next.js 16.4.6 builds no edge routes of the app router, whatever is in them.
  "next-webpack": next("webpack", "pages-router", "api/"),
  "typescript-5.4": typescript("5.4.5"),
  "typescript-7": typescript("7.0.2"),
};
