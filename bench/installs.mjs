// Packages that only the benchmark needs. They are installed on demand, apart from the repository's own packages.

import { join } from "node:path";
import { root, run } from "../scripts/lib/run.mjs";
import { whenChanged } from "../scripts/lib/stamps.mjs";

/** Exact versions, by folder. Install scripts are not run. */
const packages = {
  peers: { "@braintrust/lingua": "0.1.0", "llm-bridge": "2.0.1" },
  node20: { [nodePackage()]: "20.20.2" },
  node26: { [nodePackage()]: "26.10.0" },
};

/** Node's binaries as a package, without the package that selects one in an install script. */
function nodePackage() {
  return `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
}

export const versionOf = (folder) => Object.values(packages[folder])[0];
export const peerVersions = packages.peers;

/** Installs the packages of a folder, if necessary; resolves to its path. */
export async function installed(folder) {
  const path = join(root, "build/bench", folder);
  const wanted = Object.entries(packages[folder]).map(([name, version]) => `${name}@${version}`);
  await whenChanged({
    name: wanted.join(" and "),
    inputs: ["bench/installs.mjs"],
    outputs: [join("build/bench", folder, "node_modules")],
    build: () => {
      const flags = ["--no-save", "--ignore-scripts", "--legacy-peer-deps", "--no-audit", "--no-fund"];
      run("npm", ["install", "--prefix", path, ...flags, ...wanted], { output: 2 });
    },
  });
  return join(path, "node_modules");
}

/** The program of a version of Node. */
export async function nodeProgram(folder) {
  if (process.versions.node === versionOf(folder)) return process.execPath;
  const program = process.platform === "win32" ? "node.exe" : "node";
  return join(await installed(folder), nodePackage(), "bin", program);
}
