// `npm run docs`: writes the API reference of the three entry points and of the crate to build/docs/.

import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "./build/all.mjs";
import { locked, main, root, run } from "./lib/run.mjs";
import { buildReference } from "./site/reference.mjs";

const out = join(root, "build/docs");

await main(async () => {
  await build();
  rmSync(out, { recursive: true, force: true });
  await buildReference();
  run("cargo", ["doc", "--no-deps", "--lib", "--features", "schemars", ...locked], {
    env: { RUSTDOCFLAGS: "-D warnings" },
  });
  cpSync(join(root, "target/doc"), join(out, "rust"), { recursive: true });
  console.log(`${out}/typescript/index.html\n${out}/rust/toolwire/index.html`);
});
