// The files of the repository that pages link to: as they are, and a list of the files of each folder.

import { cpSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "../lib/run.mjs";
import { filesBelow } from "../lib/stamps.mjs";
import { rawLink } from "./links.mjs";

const isFolder = (path) => statSync(join(root, path)).isDirectory();

/** Copies the files below `paths` to the folder of static files, and writes a page for each folder. */
export function writeSources(paths, { source, base }) {
  const folders = [...paths].filter(isFolder);
  for (const file of filesBelow([...paths])) copy(file, join(source, "public/files", file));
  for (const folder of folders) {
    const rows = filesBelow([folder]).map((file) => `- ${rawLink(file.slice(folder.length + 1), file, base)}`);
    write(join(source, "files", folder, "index.md"), `# Files in ${folder}\n\n${rows.join("\n")}\n`);
  }
}

function copy(file, to) {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(join(root, file), to);
}

/** Writes a file, and the folders that it is in. */
export function write(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
