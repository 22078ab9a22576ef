// Builds `toolwire/common`: the entry points of `toolwire` with a wasm that has fewer formats.

import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "../lib/run.mjs";
import { whenChanged } from "../lib/stamps.mjs";
import { bundleEntry, entriesOf } from "./entries.mjs";
import { generateFacade } from "./facade.mjs";
import { common } from "./modules.mjs";
import { acceptUndefinedBelow } from "./optional.mjs";
import { compileModule } from "./wasm.mjs";

const folder = `pkg/dist/${common.folder}`;
const entries = entriesOf(common);

/** Adds the entry point to pkg/. */
export async function buildCommon() {
  await compileModule(common);
  await whenChanged({
    name: "toolwire/common",
    inputs: [
      ...[common.wasm, common.glue, "pkg-template/core", "pkg-template/entrypoints"],
      ...["pkg-template/formats", "pkg-template/runtime", "package-lock.json", "scripts/build"],
    ],
    outputs: entries.map(({ output }) => `pkg/dist/${output}`),
    build: async () => {
      await generateFacade(common);
      mkdirSync(join(root, folder), { recursive: true });
      for (const entry of entries) await bundleEntry(entry);
      copyFileSync(join(root, common.wasm), join(root, folder, "common.wasm"));
      for (const types of ["index.d.ts", "index.d.cts"])
        copyFileSync(join(root, common.glue, "common.d.ts"), join(root, folder, types));
      acceptUndefinedBelow(folder);
    },
  });
}
