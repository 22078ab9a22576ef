// The pure parts of the benchmark.

import assert from "node:assert/strict";
import { test } from "node:test";
import { median, slope } from "../../bench/numbers.mjs";
import { moduleOf } from "../../bench/owners.mjs";
import { differences, meaning } from "../../bench/peers/differences.mjs";
import { bars } from "../../bench/plots/bars.mjs";
import { lines } from "../../bench/plots/lines.mjs";
import { logarithmic, marks } from "../../bench/plots/svg.mjs";
import { measureSize } from "../../bench/size.mjs";
import { markdownOf, textOf } from "../../bench/tables.mjs";
import { emptied, functionsOf, sectionsOf } from "../../bench/wasm-functions.mjs";

test("the slope distinguishes linear from quadratic", () => {
  const cost = (power) => [10, 100, 1000].map((size) => [size, 7 * size ** power]);
  assert.ok(Math.abs(slope(cost(1)) - 1) < 1e-9);
  assert.ok(Math.abs(slope(cost(2)) - 2) < 1e-9);
  assert.ok(Math.abs(slope(cost(0))) < 1e-9);
  assert.ok(
    slope(
      [
        [1, 1],
        [10, 12],
        [100, 95],
      ].map(([size, nanoseconds]) => [size, nanoseconds]),
    ) < 1.1,
  );
});

test("the sizes can be measured with what the build exports", () => assert.equal(typeof measureSize, "function"));

test("the median is the middle one, however they are ordered", () => {
  assert.equal(median([9, 1, 5]), 5);
});

test("scales of equal ratios", () => {
  const at = logarithmic([0.1, 10], [0, 100]);
  assert.deepEqual(
    [0.1, 1, 10].map((value) => Math.round(at(value))),
    [0, 50, 100],
  );
  assert.deepEqual(marks(0.03, 3), [0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5]);
  assert.deepEqual(marks(100, 1000, [1]), [100, 1000]);
});

const plots = {
  bars: bars({ title: 'a < b & "c"', series: ["one", "two"], groups: [{ label: "x <y>", values: [0.2, 3] }] }),
  lines: lines({
    title: "lines",
    series: [
      {
        label: "one",
        points: [
          [10, 0.5],
          [1000, 2],
        ],
      },
    ],
  }),
};

for (const [name, svg] of Object.entries(plots)) {
  test(`${name}: well-formed, for light and dark, nothing outside`, () => {
    const open = [];
    for (const [, close, tag, self] of svg.matchAll(/<(\/?)(\w+)[^<>]*?(\/?)>/g)) {
      if (close) assert.equal(open.pop(), tag);
      else if (!self) open.push(tag);
    }
    assert.deepEqual(open, []);
    assert.match(svg, /prefers-color-scheme: dark/);
    assert.doesNotMatch(svg, /NaN|Infinity|undefined|&(?!#\d+;)/);
    const width = Number(svg.match(/width="(\d+)"/)[1]);
    for (const [, x] of svg.matchAll(/ x="(-?[\d.]+)"/g)) assert.ok(x >= 0 && x <= width, x);
  });
}

test("tables as text and as Markdown", () => {
  const table = { title: "t", columns: ["", "n"], rows: [["a|b", "10"]] };
  assert.equal(textOf(table), "t\n        n\n  a|b  10");
  assert.equal(markdownOf(table), "**t**\n\n|  | n |\n| --- | ---: |\n| a\\|b | 10 |");
  // the page of the site would take it for an element
  assert.match(markdownOf({ ...table, rows: [["<A as B>::f", "1"]] }), /^\| `<A as B>::f` \| 1 \|$/m);
});

test("bodies are compared by their content", () => {
  const one = {
    system: "s",
    messages: [
      { role: "user", content: "a" },
      { role: "user", content: "b" },
    ],
    max: 1,
  };
  const text = (value) => ({ type: "text", text: value });
  const other = { system: [text("s")], messages: [{ role: "user", content: [text("a"), text("c")] }] };
  assert.deepEqual(differences(meaning(one), meaning(other)), [
    { path: "/messages/*/content/*/text", count: 1, ours: '"b"', theirs: '"c"' },
    { path: "/max", count: 1, ours: "1", theirs: "absent" },
  ]);
  assert.deepEqual(meaning({ arguments: '{ "a": 1 }' }), { arguments: { a: 1 } });
});

test("functions belong to crates and modules", () => {
  const names = {
    "toolwire[9163824c94eb4cdf]::dialect::gemini::parts::read_piece": "toolwire::dialect::gemini",
    "<toolwire[9163824c94eb4cdf]::schema::walk::Walker>::write": "toolwire::schema",
    "core[c5930c85a12de822]::slice::sort::unstable::quicksort::quicksort::<&str>": "core::slice",
    "<f64 as core[c5930c85a12de822]::fmt::Display>::fmt": "core",
    memcpy: "exports and intrinsics",
    "": "without a name",
  };
  for (const [name, owner] of Object.entries(names)) assert.equal(moduleOf(name), owner);
});

test("sections and functions of a wasm", async () => {
  const text = (value) => [value.length, ...Buffer.from(value)];
  const section = (id, content) => [id, content.length, ...content];
  const code = section(10, [1, 2, 0, 0x0b]);
  const name = section(0, [...text("name"), 1, 4, 1, 0, ...text("f")]);
  const bytes = Uint8Array.from([
    0,
    0x61,
    0x73,
    0x6d,
    1,
    0,
    0,
    0,
    ...section(1, [1, 0x60, 0, 0]),
    ...section(3, [1, 0]),
    ...code,
    ...name,
  ]);
  assert.deepEqual(sectionsOf(bytes), [
    ["types", 6],
    ["functions", 4],
    ["code", 6],
    ["custom: name", 13],
  ]);
  assert.deepEqual(await functionsOf(bytes), [{ name: "f", size: 2 }]);
  const kept = emptied(bytes, () => false);
  assert.deepEqual([...kept], [...bytes.subarray(0, bytes.length - name.length)]);
  const empty = emptied(bytes, (index) => index === 0);
  assert.ok(WebAssembly.validate(empty));
  assert.deepEqual([...empty.subarray(-7)], [10, 5, 1, 3, 0, 0, 0x0b]);
});
