// A clean project in a temporary folder, from which no import resolves into this repository.

import { spawn } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { transformSync } from "esbuild";
import { guidePrograms, markdownBlocks } from "../../package/support/snippets/blocks.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const quiet = { NEXT_TELEMETRY_DISABLED: "1", NO_COLOR: "1", FORCE_COLOR: undefined, NODE_OPTIONS: undefined };
/** Shortens the output of a program: bundles have very long lines. */
const shortened = (text) => text.replace(/.{400,}/g, (line) => `${line.slice(0, 200)} …`).slice(-4000);

/** The tarball that would be published. */
export async function pack(place) {
  const folder = here("../../../pkg");
  const output = await finished(start(["npm", "pack", "--json", "--pack-destination", place, folder], { cwd: place }));
  const [{ filename }] = Object.values(JSON.parse(output));
  return join(place, filename);
}

export const temporaryFolder = () => mkdtempSync(join(tmpdir(), "toolwire-packaging-"));

/** A project with the package and the given others installed, and the consumer's programs. */
export async function makeProject(tarball, packages) {
  const folder = temporaryFolder();
  const [installed, packed] = [join(folder, "node_modules/toolwire/dist"), join(folder, "packed")];
  const built = new Map();
  const project = {
    folder,
    /** Runs a program to its end; returns its output. */
    run: (command) => finished(start(command, { cwd: folder })),
    /** Builds. Entries may share a build, which runs once. */
    build: (command) => {
      const key = command.join(" ");
      if (!built.has(key)) built.set(key, project.run(command));
      return built.get(key);
    },
    /** Starts a server; resolves to its address once it responds there. */
    serve: (command, env) => serve(command, { cwd: folder, env }),
    /** Removes all code of the package except these files, and its types. */
    leave: (files) => {
      rmSync(installed, { recursive: true });
      const isNamed = (path) => files.includes(relative(packed, path).replaceAll("\\", "/"));
      const isLeft = (path) => statSync(path).isDirectory() || isNamed(path) || /\.d\.c?ts$/.test(path);
      cpSync(packed, installed, { recursive: true, filter: isLeft });
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
  cpSync(here("../consumer"), folder, { recursive: true });
  cpSync(here("../../../examples/gateway"), join(folder, "gateway"), { recursive: true });
  for (const [name, { code }] of Object.entries(guidePrograms()))
    writeFileSync(join(folder, "readme", `${name}.ts`), code);
  copyVectors(folder);
  copyRecipe(folder);
  const dependencies = { toolwire: `file:${tarball}`, ...packages };
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module", dependencies }));
  await project.run(["npm", "install", "--no-audit", "--no-fund"]).catch((error) => {
    project.remove();
    throw error;
  });
  renameSync(installed, packed);
  mkdirSync(installed);
  return project;
}

/** Copies the toolkit's vectors and their runner as modules that every runtime and bundler accepts. */
function copyVectors(folder) {
  const vectors = here("../../vectors/toolkit");
  const contents = readdirSync(vectors).map((name) => [
    name.replace(".json", ""),
    JSON.parse(readFileSync(join(vectors, name), "utf8")),
  ]);
  const text = JSON.stringify(JSON.stringify(Object.fromEntries(contents)));
  writeFileSync(join(folder, "toolkit-vectors-data.js"), `export default JSON.parse(${text});\n`);
  cpSync(here("../../toolkit/support/vectors.mjs"), join(folder, "toolkit-vectors.js"));
}

/** Copies the recipe of a route without its types, as Next.js would need a compiler of the project for them. */
function copyRecipe(folder) {
  const { code } = markdownBlocks("docs/recipes/nextjs.md").find(({ language }) => language === "ts");
  mkdirSync(join(folder, "recipes"));
  writeFileSync(join(folder, "recipes/nextjs.js"), transformSync(code, { loader: "ts" }).code);
}

function start([command, ...args], { cwd, env = {} }) {
  // A process group of its own, so that child processes end with it.
  const options = { cwd, env: { ...process.env, ...quiet, ...env }, stdio: ["ignore", "pipe", "pipe"], detached: true };
  const child = spawn(command === "node" ? process.execPath : command, args, options);
  const program = { child, name: [command, ...args].join(" "), out: "", err: "" };
  child.stdout.setEncoding("utf8").on("data", (text) => {
    program.out += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text) => {
    program.err += text;
  });
  program.ended = new Promise((resolve) => {
    child.on("error", (error) => resolve(error.message));
    child.on("close", (code, signal) => resolve(code === 0 ? undefined : (signal ?? `exit code ${code}`)));
  });
  return program;
}

const complaint = ({ name, out, err }, problem) => new Error(`${name}: ${problem}\n${shortened(out + err)}`);

async function finished(program) {
  const problem = await program.ended;
  if (problem) throw complaint(program, problem);
  return program.out;
}

const SLOWEST_START = 60_000;

async function serve(command, options) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = { ...options.env, PORT: String(port) };
  const program = start(
    command.map((word) => (word === "PORT" ? String(port) : word)),
    { ...options, env },
  );
  let problem;
  program.ended.then((ended) => {
    problem = ended ?? "ended";
  });
  const stop = async () => {
    if (problem) return;
    process.kill(-program.child.pid, "SIGTERM");
    await program.ended;
  };
  for (const since = performance.now(); performance.now() - since < SLOWEST_START; ) {
    if (problem) throw complaint(program, problem);
    const answers = await fetch(`${url}/nothing`).then(
      () => true,
      () => false,
    );
    if (answers) return { url, stop, output: () => shortened(program.out + program.err) };
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await stop();
  throw complaint(program, "does not answer");
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
