// Describes the codes of warnings and errors, from the page in the package.

import { readFile } from "node:fs/promises";
import { page } from "./codes.js";
import { Stop } from "./exits.js";
import { meant } from "./names.js";

export async function explain({ file: code }) {
  const text = await readFile(page, "utf8");
  const sections = new Map(
    text
      .split(/^### /m)
      .slice(1)
      .map((section) => [section.split("\n", 1)[0], section.split("\n## ")[0]]),
  );
  if (code === "-") return { text: [...sections.keys()].join("\n"), isJson: false };
  const found = sections.get(code);
  if (!found) throw new Stop("usage", `there is no code ${code}${meant(code, [...sections.keys()])}`);
  const meaning = found.slice(code.length).trim();
  return { text: `${code}: ${meaning}`.replaceAll(/`/g, ""), isJson: false };
}
