// Generates the modules between the conversions' runtime and the wasm: the glue as a factory, and the public functions and classes.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "../lib/run.mjs";
import { filesBelow } from "../lib/stamps.mjs";
import { glueFactory } from "./glue.mjs";
import { moduleNamed } from "./modules.mjs";

/** For the package, or for another build of the same module. */
export async function generateFacade(module = moduleNamed("toolwire")) {
  const folder = join(root, module.generated);
  const exported = await publicExports(module);
  const files = {
    "glue.js": await glueModule(module, exported),
    "classes.js": standIns(exported),
    "api.js": wrappers(folder, exported),
  };
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
}

/**
 * The crate's exports, according to the glue: `{ functions: [{ name, arity, givesClass }], classes: [name] }`. A function that does
 * not return an object of a class is called without the glue, which would only pass the arguments on.
 */
async function publicExports(module) {
  const glue = await import(pathToFileURL(join(root, module.glue, `${module.name}_bg.js`)));
  const exported = { functions: [], classes: [] };
  for (const [name, value] of Object.entries(glue)) {
    if (name.startsWith("__wb")) continue;
    const source = typeof value === "function" ? Function.prototype.toString.call(value) : "";
    const givesClass = source.includes(".__wrap(");
    if (givesClass || passesOn(name, source)) exported.functions.push({ name, arity: value.length, givesClass });
    else if (source.startsWith("class") && !source.includes("constructor(")) exported.classes.push(name);
    else
      throw new Error(
        `the facade has no wrapper for ${name}: only functions of values and classes without a constructor`,
      );
  }
  return exported;
}

function passesOn(name, source) {
  const [, parameters] = source.match(/^function \w+\((.*?)\)/) ?? [];
  return (
    source.replace(/\s+/g, " ") ===
    `function ${name}(${parameters}) { const ret = wasm.${name}(${parameters}); return ret; }`
  );
}

/** The snippet that declares the error class. All instances share it, so that `instanceof` holds after a trap. */
function errorModule(module) {
  const declares = (file) => /export class ToolwireError\b/.test(readFileSync(join(root, file), "utf8"));
  const found = filesBelow([`${module.glue}/snippets`]).filter(declares);
  if (found.length !== 1) throw new Error(`expected one snippet that declares ToolwireError, found ${found.length}`);
  return join(root, found[0]);
}

/** The glue, sharing the error class with all other instances. */
async function glueModule(module, { functions, classes }) {
  const errors = errorModule(module);
  const makers = functions.filter(({ givesClass }) => givesClass).map(({ name }) => name);
  const groups = { makers, classes };
  const factory = await glueFactory(module, { groups, plugins: [fromOutside(errors, "errors")] });
  const errorsPath = JSON.stringify(relative(join(root, module.generated), errors));
  return `import * as errors from ${errorsPath};
export { takeFailure, taskOf, ToolwireError } from ${errorsPath};

export const createGlue = ${factory};
`;
}

/** In a factory, replaces the imports of a module by the variable `name` of the module that contains the factory. */
function fromOutside(file, name) {
  return {
    name: "from-outside",
    setup(build) {
      build.onLoad({ filter: /\.js$/ }, async ({ path }) => {
        if (path !== file) return undefined;
        const exported = Object.keys(await import(pathToFileURL(file)));
        return { contents: `export const { ${exported.join(", ")} } = ${name};` };
      });
    },
  };
}

/** The public classes, for `instanceof` and types. Objects are created by the classes of the current instance. */
function standIns({ classes }) {
  return classes.length > 0 ? classes.map((name) => `export class ${name} {}\n`).join("") : "export {};\n";
}

function wrappers(folder, { functions }) {
  const runtime = (file) => relative(folder, join(root, "pkg-template/runtime", file));
  return `import { throwFailure } from "${runtime("failures.js")}";
import { core, fault, makers } from "${runtime("instance.js")}";
export * from "./classes.js";
export { ToolwireError } from "./glue.js";
${functions.map(wrapper).join("\n")}
`;
}

// A fixed number of arguments: rest parameters would cost an array for each call.
function wrapper({ name, arity, givesClass }) {
  const args = Array.from({ length: arity }, (_, index) => `a${index}`).join(", ");
  return `export function ${name}(${args}) {
  try {
    return ${givesClass ? `makers().${name}(${args})` : `(core.live ?? core.start()).${name}(${args}) ?? throwFailure(${arity > 0 ? "a0" : ""})`};
  } catch (error) {
    throw fault(error);
  }
}`;
}
