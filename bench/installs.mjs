// What the benchmark alone needs: got when it is asked for, beside the repository's own packages, which stay as small as they are.

import { join } from "node:path";
import { root, run } from "../scripts/lib/run.mjs";
import { whenChanged } from "../scripts/lib/stamps.mjs";

/** Exact versions, by folder. No package's scripts are run. */
const packages = {
  peers: { "@braintrust/lingua": "0.1.0", "llm-bridge": "2.0.1" },
  node20: { [nodePackage()]: "20.20.2" },
  node26: { [nodePackage()]: "26.10.0" },
};

/** Node as a package, without the one that chooses: that takes a script. */
function nodePackage() {
  return `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
}

export const versionOf = (folder) => Object.values(packages[folder])[0];
export const peerVersions = packages.peers;

/** The folder in which the packages are, once they are. */
export async function installed(folder) {
  const path = join(root, "build/bench", folder);
  const wanted = Object.entries(packages[folder]).map(([name, version]) => `${name}@${version}`);
  await whenChanged(wanted.join(" and "), {
    inputs: ["bench/installs.mjs"],
    outputs: [join("build/bench", folder, "node_modules")],
    build: () => {
      const flags = ["--no-save", "--ignore-scripts", "--legacy-peer-deps", "--no-audit", "--no-fund"];
      run("npm", ["install", "--prefix", path, ...flags, ...wanted], { output: 2 });
    },
  });
  return join(path, "node_modules");
}

/** The program of a Node. */
export async function nodeProgram(folder) {
  if (process.versions.node === versionOf(folder)) return process.execPath;
  const program = process.platform === "win32" ? "node.exe" : "node";
  return join(await installed(folder), nodePackage(), "bin", program);
}
