// `npm run check:schemas -- FOLDER`: tests validation, natively and in wasm, with cases in the form of the official JSON Schema test
// suite. FOLDER contains `draft2020-12` and `draft7`. Cases that need remote documents are skipped.

import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { build } from "./build/all.mjs";
import { CommandFailed, locked, main, run } from "./lib/run.mjs";

const drafts = { "draft2020-12": "2020-12", draft7: "draft-07" };
const at = "http://localhost:1234/draft2020-12";
const vocabulary = (name) => [`https://json-schema.org/draft/2020-12/vocab/${name}`, true];
const metaschema = (name, ...vocabularies) => {
  const $id = `${at}/${name}.json`;
  return [$id, { $id, $vocabulary: Object.fromEntries(vocabularies.map(vocabulary)) }];
};
/** The metaschemas that the suite expects under its own URL. */
const documents = Object.fromEntries([
  metaschema("metaschema-no-validation", "core", "applicator"),
  metaschema("metaschema-optional-vocabulary", "core", "validation", "unknown"),
]);

await main(async () => {
  const { positionals } = parseArgs({ allowPositionals: true });
  if (positionals.length !== 1) throw new CommandFailed("usage: npm run check:schemas -- FOLDER");
  const folder = resolve(positionals[0]);
  run("cargo", ["test", "--test", "toolkit", ...locked, "official_suite", "--", "--nocapture"], {
    env: { SCHEMAS: folder },
  });
  await build();
  const { checkValue } = await import("../pkg/dist/toolkit/index.js");
  const failed = Object.keys(drafts).flatMap((name) => checkFolder(checkValue, join(folder, name), drafts[name]));
  for (const line of failed) console.log(line);
  return failed.length > 0 ? 1 : 0;
});

function checkFolder(checkValue, folder, draft) {
  const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
  const options = { draft, documents, formats: false, coerce: false, clamp: false, defaults: false };
  const results = files.flatMap((file) => {
    const groups = JSON.parse(readFileSync(join(folder, file), "utf8"));
    return groups.flatMap((group) => checkGroup(checkValue, file, group, options));
  });
  const failed = results.filter((result) => typeof result === "string");
  const passed = results.filter((result) => result === true).length;
  console.log(
    `wasm: ${folder}: ${passed} passed, ${failed.length} failed, ${results.length - passed - failed.length} remote`,
  );
  return failed;
}

/** For each test: true if it passes, undefined if it can't be run, or a text. */
function checkGroup(checkValue, file, { description, schema, tests }, options) {
  return tests.map((test) => {
    try {
      const valid = checkValue(schema, test.data, options).problems.length === 0;
      return valid === test.valid || `${file}: ${description}: ${test.description}`;
    } catch (error) {
      const isRemote = error.code === "invalid_schema" && /\/\$(?:dynamicRef|ref)$/.test(error.path);
      return isRemote ? undefined : `${file}: ${description}: ${error.message}`;
    }
  });
}
