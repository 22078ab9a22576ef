import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

/** Writes the service worker, with the list of all files that it caches. */
export function serviceWorker(source: string): Plugin {
  let folder = "";
  return {
    name: "service-worker",
    apply: "build",
    configResolved(config) {
      // the build of the worker uses the same plugins
      folder = config.build.outDir;
    },
    closeBundle() {
      const files = readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && !["service-worker.js", "preview.png"].includes(entry.name))
        .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
        .sort();
      const hash = createHash("sha256");
      for (const file of files) hash.update(file).update(readFileSync(join(folder, file)));
      const facts = { version: hash.digest("hex").slice(0, 16), files };
      writeFileSync(
        join(folder, "service-worker.js"),
        `const facts = ${JSON.stringify(facts)};\n${readFileSync(source, "utf8")}`,
      );
    },
  };
}
