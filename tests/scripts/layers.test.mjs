// The layers of the core: a folder of `src/` depends on the folders below it only (docs/architecture.md).

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { dialects } from "../../scripts/lib/dialects.mjs";
import { filesBelow } from "../../scripts/lib/stamps.mjs";

/** From the lowest to the highest. */
const LAYERS = [
  "value",
  "format",
  "models",
  "servers",
  "run",
  "model",
  "schema",
  "fit",
  "dialect",
  "convert",
  "types",
  "bindings",
];
/** The other entry points: they depend on no layer of the conversions. */
const APART = ["text", "toolkit"];

/** The modules of the crate that a file names. */
function used(file) {
  const code = readFileSync(file, "utf8").replace(/^ *\/\/.*$/gm, "");
  return new Set([...code.matchAll(/\bcrate::(\w+)/g)].map(([, name]) => name));
}

for (const [place, layer] of LAYERS.entries()) {
  test(`src/${layer} depends on lower layers only`, () => {
    const allowed = new Set(LAYERS.slice(0, place + 1));
    const modules = new Set([...LAYERS, ...APART]);
    const upwards = filesBelow([`src/${layer}`])
      .filter((file) => file.endsWith(".rs"))
      .flatMap((file) =>
        [...used(file)].filter((name) => modules.has(name) && !allowed.has(name)).map((name) => `${file} → ${name}`),
      );
    assert.deepEqual(upwards, []);
  });
}

test("the modules that entry points share depend on none of them", () => {
  const modules = new Set([...LAYERS, ...APART]);
  const shared = filesBelow(["src"]).filter(
    (file) => /^src\/(\w+\.rs|json\/.+\.rs)$/.test(file) && file !== "src/lib.rs",
  );
  assert.ok(shared.length > 5);
  const upwards = shared.flatMap((file) =>
    [...used(file)].filter((name) => modules.has(name)).map((name) => `${file} → ${name}`),
  );
  assert.deepEqual(upwards, []);
});

test("only src/run has methods of Run", () => {
  const wrong = filesBelow(["src"])
    .filter((file) => file.endsWith(".rs") && !file.startsWith("src/run/"))
    .filter((file) => /^impl(<[^>]*>)? Run</m.test(readFileSync(file, "utf8")));
  assert.deepEqual(wrong, []);
});

for (const entry of APART) {
  test(`src/${entry} depends on no layer of the conversions`, () => {
    const modules = new Set([...LAYERS, ...APART.filter((other) => other !== entry)]);
    const wrong = filesBelow([`src/${entry}`])
      .filter((file) => file.endsWith(".rs"))
      .flatMap((file) => [...used(file)].filter((name) => modules.has(name)).map((name) => `${file} → ${name}`));
    assert.deepEqual(wrong, []);
  });
}

/** The modules of each other entry point, from the lowest to the highest. Those in one list do not depend on each other. */
const LAYERS_APART = {
  text: [["error"], ["formats", "tool"], ["schema"], ["read", "write"], ["grammar", "simulate"], ["bindings"]],
  toolkit: [
    ["error", "problem"],
    ["read", "repair"],
    ["schema", "agent"],
    ["parameters", "repair_json"],
    ["tool"],
    ["limits"],
    ["registry"],
    ["call"],
    ["bindings"],
  ],
};

for (const [entry, layers] of Object.entries(LAYERS_APART)) {
  test(`the modules of src/${entry} depend on lower ones only`, () => {
    const level = new Map(layers.flatMap((names, index) => names.map((name) => [name, index])));
    const files = filesBelow([`src/${entry}`]).filter((file) => file.endsWith(".rs") && file !== `src/${entry}/mod.rs`);
    const moduleOf = (file) => file.split("/")[2].replace(/\.rs$/, "");
    assert.deepEqual(new Set(files.map(moduleOf)), new Set(level.keys()));
    const upwards = files.flatMap((file) => {
      const own = moduleOf(file);
      return [...siblings(entry, file)]
        .filter((name) => level.has(name) && name !== own && level.get(name) >= level.get(own))
        .map((name) => `${file} → ${name}`);
    });
    assert.deepEqual(upwards, []);
  });
}

/** The modules of an entry point that a file names, from the root of the crate or relative to the file. */
function siblings(entry, file) {
  const code = readFileSync(file, "utf8").replace(/^ *\/\/.*$/gm, "");
  const depth = file.split("/").length - (file.endsWith("/mod.rs") ? 3 : 2);
  const found = [];
  for (const root of [`crate::${entry}::`, "super::".repeat(depth)]) {
    for (const [, named] of code.matchAll(new RegExp(`(?<![\\w:])${root}(\\w+|\\{[^}]*\\})`, "g"))) {
      found.push(...(named.startsWith("{") ? [...named.matchAll(/(?<=[{,]\s*)\w+/g)].map(([name]) => name) : [named]));
    }
  }
  return new Set(found);
}

test("only the table of dialects names a dialect: differences are data", () => {
  // the table; and the shape of requests in Google's SDK, which is a function of its own
  const exempt = ["src/format/dialect.rs", "src/bindings/genai.rs"];
  const ofProviders = dialects.filter(({ suffix }) => suffix !== undefined);
  const variants = new Set(ofProviders.map(({ variant }) => variant));
  assert.ok(variants.size >= 6);
  const wrong = filesBelow(["src"])
    .filter((file) => file.endsWith(".rs") && !exempt.includes(file))
    .flatMap((file) => {
      const code = readFileSync(file, "utf8").replace(/^ *\/\/.*$/gm, "");
      const named = [...code.matchAll(/\bDialect::(\w+)/g)].map(([, name]) => name);
      return named.filter((name) => variants.has(name)).map((name) => `${file}: ${name}`);
    });
  assert.deepEqual(wrong, []);
});

test("only the tables of dialects and models name a provider: who issued something is data", () => {
  const wrong = filesBelow(["src"])
    .filter((file) => file.endsWith(".rs") && !/^src\/(format\/(dialect|trial)\.rs|models\/\w+\.rs)$/.test(file))
    .flatMap((file) => {
      const code = readFileSync(file, "utf8").replace(/^ *\/\/.*$/gm, "");
      return [...code.matchAll(/\bProvider::([A-Z][a-z]\w*)/g)].map(([, name]) => `${file}: ${name}`);
    });
  assert.deepEqual(wrong, []);
});

/** The files of a folder, by the path of their module in it: `""` for `mod.rs`, `kinds/json` for `kinds/json.rs`. */
function modulesBelow(folder) {
  const files = filesBelow([folder]).filter((file) => file.endsWith(".rs"));
  const nameOf = (file) => file.slice(folder.length + 1).replace(/(^|\/)mod\.rs$|\.rs$/, "");
  return new Map(files.map((file) => [nameOf(file), readFileSync(file, "utf8").replace(/^ *\/\/.*$/gm, "")]));
}

/** The modules that one of them names, by `super::` or from the root of the crate. */
function named(modules, own, root, code) {
  const isFolder = own === "" || [...modules.keys()].some((name) => name.startsWith(`${own}/`));
  const folder = isFolder ? own : own.split("/").slice(0, -1).join("/");
  const under = (...parts) => parts.filter((part) => part !== "").join("/");
  // in the module of a file, `super` is its folder
  const above = isFolder ? folder.split("/").slice(0, -1).join("/") : folder;
  const places = { [`${root}::`]: "" };
  if (own !== "") places["super::"] = above;
  if (above !== "") places["super::super::"] = "";
  const found = new Set();
  for (const [prefix, place] of Object.entries(places)) {
    for (const [, path] of code.matchAll(new RegExp(`(?<![\\w:])${prefix}((?:\\w+::)*(?:\\w+|\\{[^;]*\\}))`, "g"))) {
      const [start, list] = path.split(/(?=\{)/);
      const base = start.split("::").filter((part) => part !== "");
      const ends =
        list === undefined ? [[]] : [...list.matchAll(/(?<=[{,]\s*)\w+(?:::\w+)*/g)].map(([one]) => one.split("::"));
      for (const end of ends) {
        const parts = [...base, ...end];
        const sizes = parts.map((_, index) => parts.length - index);
        const size = sizes.find((size) => modules.has(under(place, ...parts.slice(0, size))));
        const name = size === undefined ? place : under(place, ...parts.slice(0, size));
        if (name !== own) found.add(name);
      }
    }
  }
  return found;
}

/** A circle of modules, if there is one. */
function circle(uses) {
  const done = new Set();
  const visit = (name, path) => {
    if (path.includes(name)) return [...path.slice(path.indexOf(name)), name];
    if (done.has(name)) return undefined;
    for (const next of uses.get(name) ?? []) {
      const found = visit(next, [...path, name]);
      if (found !== undefined) return found;
    }
    done.add(name);
    return undefined;
  };
  for (const name of uses.keys()) {
    const found = visit(name, []);
    if (found !== undefined) return found.join(" → ");
  }
  return undefined;
}

test("a circle of modules is found", () => {
  const of = (pairs) => circle(new Map(Object.entries(pairs).map(([name, next]) => [name, new Set(next)])));
  assert.equal(of({ a: ["b"], b: ["c"], c: [] }), undefined);
  assert.equal(of({ a: ["b"], b: ["c"], c: ["b"] }), "b → c → b");
});

test("the modules of src/text/read have no circle", () => {
  const modules = modulesBelow("src/text/read");
  const uses = new Map();
  for (const [name, code] of modules) {
    uses.set(name, named(modules, name, "crate::text::read", code.split("#[cfg(test)]")[0]));
  }
  assert.ok(uses.get("reader").has("block") && uses.get("kinds/json").has("scan"));
  assert.equal(circle(uses), undefined);
});

test("methods of a type of src/text/read are in the file of the type, or in a module of it", () => {
  const modules = modulesBelow("src/text/read");
  const types = (code) => [...code.matchAll(/\b(?:struct|enum|trait) (\w+)/g)].map(([, name]) => name);
  const all = new Set([...modules.values()].flatMap(types));
  const isOwn = (name, type) => types(modules.get(name) ?? "").includes(type);
  const wrong = [...modules].flatMap(([name, code]) =>
    [...code.matchAll(/^impl(?:<[^>]*>)? (\w+)(?:<[^>]*>)? \{/gm)]
      .map(([, type]) => type)
      .filter((type) => all.has(type) && !isOwn(name, type) && !isOwn(name.replace(/\/\w+$/, ""), type))
      .map((type) => `${name}: ${type}`),
  );
  assert.deepEqual(wrong, []);
});

/** The literals of strings in code, without tests. */
const literalsIn = (code) =>
  [
    ...code
      .split("#[cfg(test)]")[0]
      .replace(/'(?:\\.|[^\\'])'/g, "")
      .matchAll(/r#"(.*?)"#|"((?:[^"\\]|\\.)*)"/gs),
  ].map(([, raw, text]) => raw ?? text);

/** What only a format's row may have: tokens, tags, brackets with a name, and words that end in `:`, `=` or a dot. */
const MARKER = /<[|｜\w]|<\/\w|[|｜]>|\[\/?[A-Z_]{2,}|^\w+[:=.]$/;

test("only the rows of text formats have their markers", () => {
  assert.deepEqual(literalsIn('a("<|x|>", \'"\') b("\\"") r#"{"c":1}"# #[cfg(test)] d("e")'), [
    "<|x|>",
    '\\"',
    '{"c":1}',
  ]);
  for (const marker of ["<tool_call>", "</invoke>", "<|end|>", "[TOOL_CALLS]", "<｜DSML｜", "to=", "call:", "|>"]) {
    assert.match(marker, MARKER);
  }
  const rows = filesBelow(["src/text/formats"]).flatMap((file) => literalsIn(readFileSync(file, "utf8")));
  assert.ok(rows.filter((text) => MARKER.test(text)).length > 100);
  const wrong = [...modulesBelow("src/text/read")].flatMap(([name, code]) =>
    literalsIn(code)
      .filter((text) => MARKER.test(text))
      .map((text) => `${name}: ${text}`),
  );
  assert.deepEqual(wrong, []);
});
