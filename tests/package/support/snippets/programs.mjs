// Code blocks of the documentation as TypeScript modules in a project with the built package installed.

import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { format } from "node:util";
import { root } from "../../../../scripts/lib/run.mjs";
import { given, givenAbout } from "./given.mjs";

/** The oldest compiler that the package supports, and the newest. */
export const compilers = ["typescript-5.4", "typescript"];

const options = {
  strict: true,
  noUncheckedIndexedAccess: true,
  target: "es2022",
  module: "nodenext",
  moduleResolution: "nodenext",
  types: ["node"],
  skipLibCheck: true,
  outDir: "out",
};

/** The exports of the package's entry points, values and types: name → entry point. */
function exportedNames() {
  const names = new Map();
  for (const [entry, file] of [
    ["toolwire/toolkit", "toolkit/index.d.ts"],
    ["toolwire", "index.d.ts"],
  ]) {
    const types = readFileSync(join(root, "pkg/dist", file), "utf8");
    const declared = [...types.matchAll(/^export (?:declare )?(?:function|class|interface|type) (\w+)/gm)].map(
      ([, name]) => name,
    );
    const passedOn = [...types.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, list]) => list.split(","));
    for (const name of [...declared, ...passedOn.flatMap((item) => item.match(/\w+(?=\s*$)/) ?? [])])
      names.set(name, entry);
  }
  return names;
}

const uses = (code, name) => new RegExp(`(?<![\\w"']|(?<!\\.\\.)\\.)${name}\\b(?!['":]|\\?:)`).test(code);

/** The names that a block declares or imports. */
function declaredNames(code) {
  const declarations = code.matchAll(/\b(?:const|let|var|function|class|interface|type)\s+(\{[^}]*\}|\w+)/g);
  const imports = code.matchAll(/\bimport (?:type )?\{([^}]*)\}/g);
  return new Set([...declarations, ...imports].flatMap(([, names]) => names.match(/\w+/g) ?? []));
}

/** The names that a fragment uses without declaring them. */
function givenIn({ code, about }) {
  const declared = declaredNames(code);
  const special = givenAbout.find(([pattern]) => pattern.test(about ?? ""));
  const known = { ...given, ...special?.[1](...special[0].exec(about).slice(1)) };
  return Object.fromEntries(Object.entries(known).filter(([name]) => !declared.has(name) && uses(code, name)));
}

/** A block as a module: `{ name, source, globals }`. A fragment (a block without imports) gets a line of declarations above it. */
function moduleOf(block, exported) {
  const { file, line, code } = block;
  const name = `${file.replaceAll(/[^\w]+/g, "-")}-${line}`;
  if (/^import /m.test(code)) return { name, source: code, globals: {} };
  const globals = givenIn(block);
  const declared = declaredNames(code);
  const imported = [...exported].filter(([name]) => !declared.has(name) && !globals[name] && uses(code, name));
  const imports = imported.map(([name, entry]) => `import { ${name} } from "${entry}";`);
  const declarations = Object.entries(globals).map(([name, { type }]) => `declare const ${name}: ${type};`);
  return { name, source: `${[...imports, ...declarations, "export {};"].join(" ")}\n${code}`, globals };
}

/**
 * Writes a project. `compile(compiler)` checks it and writes JavaScript, `fileOf(block)` returns the file of a block, and `run(block)` runs
 * it with the names that it uses, and resolves to its output on `console.log`.
 */
export function makeProject(projectName, blocks) {
  const folder = join(root, "build/snippets", projectName);
  const exported = exportedNames();
  const modules = new Map(blocks.map((block) => [block, moduleOf(block, exported)]));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, "node_modules"), { recursive: true });
  symlinkSync(join(root, "pkg"), join(folder, "node_modules/toolwire"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: options, include: ["*.ts"] }));
  for (const { name, source } of modules.values()) writeFileSync(join(folder, `${name}.ts`), source);
  const fileOf = (block) => pathToFileURL(join(folder, "out", `${modules.get(block).name}.js`)).href;
  return {
    compile(compiler) {
      const tsc = join(root, "node_modules", compiler, "bin/tsc");
      execFileSync(process.execPath, [tsc, "-p", folder], { encoding: "utf8" });
    },
    fileOf,
    run: (block) => runWith(fileOf(block), modules.get(block).globals),
  };
}

async function runWith(file, globals) {
  const toolwire = await import(pathToFileURL(join(root, "pkg/dist/node.js")).href);
  for (const [key, { value }] of Object.entries(globals)) globalThis[key] = value(toolwire);
  let printed = "";
  const { log } = console;
  console.log = (...values) => {
    printed += `${format(...values)}\n`;
  };
  try {
    await import(file);
    return printed;
  } finally {
    console.log = log;
    for (const key of Object.keys(globals)) delete globalThis[key];
  }
}
