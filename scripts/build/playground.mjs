// Builds build/playground/ from www/ and the package: static files that work under any path.

import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { root, run } from "../lib/run.mjs";
import { whenChanged } from "../lib/stamps.mjs";
import { addressOfPage } from "../playground/address.mjs";
import { generateFacade } from "./facade.mjs";
import { moduleNamed, modules, page } from "./modules.mjs";
import { bindModule, optimise, wasmFeatures } from "./wasm.mjs";

export const site = "build/playground";
const packed = `${page.wasm}.lzma`;
/** The wasm of the other entry points, which the page loads when it first needs them. */
const others = modules.filter((module) => module !== moduleNamed("toolwire")).map(({ wasm }) => wasm);
/** The compression level, from 1 to 9. Higher levels use larger windows, which are useless for a file of this size. */
const compression = 5;

/** Exports that the page does not use: it only converts whole bodies, and streams of bytes. */
const notOfPage = /^(?:(?:from|to)[A-Z]|(?:toolResult|stream\w+_pushValue)$)/;

/**
 * Writes the wasm that the page fetches, without unused functions. It is compressed with LZMA, which is a sixth smaller than gzip, the
 * only compression of many static file hosts. With `quick`, it is compiled as for the package to try out.
 */
export async function packWasm({ quick = false } = {}) {
  const { bound } = await bindModule(page, quick);
  await whenChanged({
    name: "packed wasm",
    inputs: [
      bound,
      "package-lock.json",
      ...["facade", "glue", "playground", "wasm"].map((name) => `scripts/build/${name}.mjs`),
    ],
    outputs: [packed, `${page.generated}/glue.js`],
    build: async () => {
      // imported here, because these scripts also run before npm has installed packages
      const { compress } = await import("lzma1");
      const folder = mkdtempSync(join(tmpdir(), "toolwire-page-"));
      const reached = join(folder, "reached.wasm");
      removeUnreached(join(root, bound), reached, join(folder, "graph.json"));
      mkdirSync(join(root, dirname(page.wasm)), { recursive: true });
      optimise(reached, join(root, page.wasm));
      writeFileSync(join(root, packed), compress(readFileSync(join(root, page.wasm)), compression));
      await generateFacade(page);
      rmSync(folder, { recursive: true });
    },
  });
}

async function packOthers() {
  for (const wasm of others) {
    await whenChanged({
      name: `packed ${wasm}`,
      inputs: [wasm, "package-lock.json", "scripts/build/playground.mjs"],
      outputs: [`${wasm}.lzma`],
      stamp: `${wasm}.stamp`,
      build: async () => {
        const { compress } = await import("lzma1");
        writeFileSync(join(root, `${wasm}.lzma`), compress(readFileSync(join(root, wasm)), compression));
      },
    });
  }
}

/** Removes everything that the page's exports do not reach. `graph` is the path of wasm-metadce's input. */
function removeUnreached(from, to, graph) {
  const exports = WebAssembly.Module.exports(new WebAssembly.Module(readFileSync(from))).map(({ name }) => name);
  const kept = exports.filter((name) => !notOfPage.test(name)).map((name) => ({ name: `page: ${name}`, export: name }));
  const page = { name: "page", root: true, reaches: kept.map(({ name }) => name) };
  writeFileSync(graph, JSON.stringify([page, ...kept]));
  const metadce = join(root, "node_modules/binaryen/bin/wasm-metadce");
  run(process.execPath, [metadce, from, "-g", "--graph-file", graph, "-o", to, ...wasmFeatures], {
    output: "ignore",
  });
}

/** Copies the page into the package, which serves it with `toolwire playground`. Without it, the package works, but has no page. */
async function copyToPackage() {
  const folder = "pkg/dist/playground";
  await whenChanged({
    name: "playground in the package",
    inputs: [site, "scripts/build/playground.mjs"],
    outputs: [`${folder}/index.html`],
    build: () => {
      rmSync(join(root, folder), { recursive: true, force: true });
      // the picture that previews of links show is of no use on a machine of one's own
      const filter = (file) => basename(file) !== "preview.png";
      cpSync(join(root, site), join(root, folder), { recursive: true, filter });
    },
  });
}

export async function buildPlayground(options) {
  await packWasm(options);
  await packOthers();
  // below an input, so that another address makes another page
  mkdirSync(join(root, page.generated), { recursive: true });
  writeFileSync(join(root, page.generated, "address.txt"), `${addressOfPage() ?? ""}\n`);
  const packages = others.map((wasm) => `${wasm}.lzma`);
  await whenChanged({
    name: "playground",
    inputs: [
      ...["www", "pkg-template", "src/value/js", "src/run/error.rs", "src/run/warning.rs", "build/generated"],
      ...[
        "package-lock.json",
        "docs/models.md",
        "docs/servers.md",
        "scripts/playground/address.mjs",
        "pkg/dist/toolkit/workerd.js",
        "pkg/dist/text/workerd.js",
        packed,
        ...packages,
      ],
    ],
    outputs: [`${site}/index.html`, `${site}/service-worker.js`],
    build: () => {
      const vite = join(root, "node_modules/vite/bin/vite.js");
      run(process.execPath, [vite, "build", "--config", "www/vite.config.ts", "--logLevel", "warn"], { output: 2 });
    },
  });
  await copyToPackage();
}
