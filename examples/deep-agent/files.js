// A virtual file system: the memory of an agent, for what would otherwise fill its context. Agents that share it share the memory.

import { ToolError, tool } from "toolwire/toolkit";

const path = { name: "path", type: "string", description: "Path of the file, for example notes/a.md" };
const folder = {
  name: "folder",
  type: "string",
  description: "For example notes/; everything if it is empty",
  default: "",
};

export const listFiles = (files) =>
  tool({
    name: "list_files",
    description: "Lists the paths of all files below a folder.",
    parameters: [folder],
    execute: ({ folder }) => [...files.keys()].filter((name) => name.startsWith(folder)),
  });

export const readFile = (files) =>
  tool({
    name: "read_file",
    description: "Returns the content of a file.",
    parameters: [path],
    execute({ path }) {
      const content = files.get(path);
      if (content !== undefined) return content;
      throw new ToolError(`There is no file ${path}. Call list_files to see which there are.`, { type: "not_found" });
    },
  });

export const writeFile = (files) =>
  tool({
    name: "write_file",
    description: "Creates a file, or replaces its content.",
    parameters: [path, { name: "content", type: "string", description: "The whole content" }],
    execute({ path, content }) {
      files.set(path, content);
      return `Wrote ${content.length} characters.`;
    },
  });
