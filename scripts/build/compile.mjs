// Compiles a module: Rust source → wasm. It is copied out of cargo's folder, where modules with the same profile replace one another.

import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { locked, root, run } from "../lib/run.mjs";
import { isCurrent, whenChanged } from "../lib/stamps.mjs";
import { sourcesIn } from "./dep-info.mjs";

const target = "wasm32-unknown-unknown";
const settings = [
  ...["Cargo.toml", "Cargo.lock", ".cargo/config.toml", "rust-toolchain.toml"],
  ...["scripts/build/compile.mjs", "scripts/build/modules.mjs"],
];

/** Returns the path of the wasm. With `quick`, it is not optimised, unless the optimised one is up to date. */
export async function compile(module, quick) {
  const optimised = stepFor(module, "compiled", module);
  const isQuick = quick && !isCurrent(optimised);
  // the same for all modules, so that what they depend on is compiled once
  const step = isQuick ? stepFor(module, "quick", { profile: "quick", flags: [] }) : optimised;
  await whenChanged(step);
  return { compiled: step.outputs[0], isQuick };
}

function stepFor({ name, features }, kind, { profile, flags }) {
  const file = (extension) => `build/${kind}/${name}.${extension}`;
  return {
    name: kind === "quick" ? `wasm of ${name}, not optimised` : `wasm of ${name}`,
    inputs: () => [...sourcesIn(file("d")), ...settings],
    outputs: [file("wasm"), file("d")],
    build: () => {
      const made = join(root, "target", target, profile);
      forgetCrate(join(made, ".fingerprint"));
      // after the flags in .cargo/config.toml, which these override
      const more = ["--config", `target.${target}.rustflags = ${JSON.stringify(flags)}`];
      const selected = ["--profile", profile, "--no-default-features", "--features", features];
      // without a Rust library beside it, which would keep cargo from optimising across crates
      const library = ["rustc", "--lib", "--crate-type", "cdylib"];
      run("cargo", [...library, ...selected, "--target", target, ...more, ...locked], { output: 2 });
      mkdirSync(join(root, dirname(file("wasm"))), { recursive: true });
      for (const extension of ["wasm", "d"])
        copyFileSync(join(made, `deps/toolwire.${extension}`), join(root, file(extension)));
    },
  };
}

/** Cargo would take the wasm in its folder for that of this module, though it is that of the last one with the same profile. */
function forgetCrate(fingerprints) {
  if (!existsSync(fingerprints)) return;
  for (const name of readdirSync(fingerprints)) {
    if (name.startsWith("toolwire-")) rmSync(join(fingerprints, name), { recursive: true });
  }
}
