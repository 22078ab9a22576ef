// Names, format and lists of vector files, with small files of the test's own.

import assert from "node:assert/strict";
import { test } from "node:test";
import { problems } from "../../scripts/vectors/files.mjs";
import { lists, unmatched, withDialects } from "../../scripts/vectors/lists.mjs";

const file = (name, names, text = "") => ({ name, text, cases: names.map((name) => ({ name })) });

test("a case's name begins with its file's, and no two are the same", () => {
  assert.deepEqual(problems([file("a-b", ["a/b/one", "a-b/two", "a/b/c/three"])]), []);
  assert.deepEqual(problems([file("a-b", ["a/one", "b/a/two"])]), [
    "a-b.json: a/one belongs to another file",
    "a-b.json: b/a/two belongs to another file",
  ]);
  assert.deepEqual(problems([file("a", ["a/one"]), file("a-b", ["a/b/one", "a/b/one"])]), [
    "a-b.json: there are two cases with the name a/b/one",
  ]);
});

test("only a single string may make a line longer than 200 characters", () => {
  const long = "x".repeat(200);
  assert.deepEqual(problems([file("a", ["a/one"], `"${long}"\n  "key": "\\"${long}",\n"short": [1, 2]\n`)]), []);
  assert.deepEqual(problems([file("a", ["a/one"], `\n{ "key": "${long}" }\n`)]), ["a.json:2 is too long"]);
});

test("a file that is named after a dialect has the dialect as its topic", () => {
  const dialects = [{ name: "a-b", documented: "Format B" }, { name: "a", documented: "Format A" }, { name: "c" }];
  const files = ["a", "a-b", "a-b-long-streams", "ab", "c"].map((name) => file(name, []));
  const topics = withDialects({ "Whole formats": { a: "all of it" } }, files, dialects);
  assert.deepEqual(topics, {
    "Whole formats": { a: "all of it", "a-b": "Format B", "a-b-long-streams": "Format B: long streams" },
  });
});

test("the lists have every file, and each needs a topic", () => {
  const files = [file("a", ["a/one", "a/two"]), file("b", ["b/one"])];
  const topics = { Letters: { a: "the first", b: "the second" } };
  const { "INDEX.md": index, "list.rs": list } = lists(files, topics);
  assert.match(index, /3 cases in 2 files.*\n## Letters\n.*\| \[a\]\(a.json\) \| the first \| 2 \|/s);
  assert.match(list, /^vectors! \{\n {4}"a"\n {4}"b"\n\}$/m);
  assert.deepEqual(unmatched(files, topics), []);
  assert.deepEqual(unmatched(files, { Letters: { a: "the first", c: "the third" } }), [
    "tests/topics.json: b has no topic",
    "tests/topics.json: there is no file c.json",
  ]);
});
