#!/usr/bin/env node
// The package's command. Standard output is the converted JSON and nothing else.

import { run } from "./run.js";

// A reader that has seen enough (`| head`) is no failure.
process.stdout.on("error", (error) => {
  if (error.code !== "EPIPE") process.stderr.write(`error: ${error.message}\n`);
  process.exit(error.code === "EPIPE" ? 0 : 1);
});

run(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
