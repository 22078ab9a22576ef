#!/usr/bin/env node
// The entry point of the command. Standard output contains only the converted JSON.

import { run } from "./run.js";

// A reader that closes the pipe early (`| head`) is not an error.
process.stdout.on("error", (error) => {
  if (error.code !== "EPIPE") process.stderr.write(`error: ${error.message}\n`);
  process.exit(error.code === "EPIPE" ? 0 : 1);
});

run(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
