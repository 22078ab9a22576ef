// `npm run docs`: writes the API reference of the three entry points and of the crate to build/docs/.

import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "./build/all.mjs";
import { locked, main, root, run } from "./lib/run.mjs";
import { whenChanged } from "./lib/stamps.mjs";

const out = join(root, "build/docs");
const typedoc = join(root, "tools/api-docs");

await main(async () => {
  await build();
  await whenChanged({
    name: "typedoc",
    inputs: ["tools/api-docs/package.json", "tools/api-docs/package-lock.json"],
    outputs: ["tools/api-docs/node_modules"],
    stamp: "tools/api-docs/node_modules/.toolwire-stamp",
    build: () => run("npm", ["ci", "--no-audit", "--no-fund", "--ignore-scripts"], { cwd: typedoc, output: 2 }),
  });
  rmSync(out, { recursive: true, force: true });
  run(join(typedoc, "node_modules/.bin/typedoc"), ["--options", "typedoc.json"], { cwd: typedoc });
  run("cargo", ["doc", "--no-deps", "--lib", "--features", "schemars", ...locked], {
    env: { RUSTDOCFLAGS: "-D warnings" },
  });
  cpSync(join(root, "target/doc"), join(out, "rust"), { recursive: true });
  console.log(`${out}/typescript/index.html\n${out}/rust/toolwire/index.html`);
});
