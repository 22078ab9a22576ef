// The benchmark against another parser counts correctly: the results of this package, and the mistakes.

import assert from "node:assert/strict";
import { test } from "node:test";
import { vectorCases } from "../../bench/text/cases.mjs";
import { mistakesOf } from "../../bench/text/correctness.mjs";
import { formats, textOfCalls, tools } from "../../bench/text/payloads.mjs";
import { peerName, sides } from "../../bench/text/sides.mjs";

const { toolwire, [peerName]: peer } = await sides();
const cases = vectorCases();

test("our vectors are read correctly, and a reader that gives nothing is wrong", async () => {
  assert.ok(cases.length >= 8);
  assert.deepEqual(await mistakesOf(toolwire, cases), { whole: [], inPieces: [] });
  const nothing = () => ({ calls: [], text: "", broken: [] });
  const { whole, inPieces } = await mistakesOf({ whole: nothing, inPieces: nothing }, cases);
  const wrong = cases.filter(({ expected }) => expected.calls.length > 0 || expected.text !== "");
  assert.deepEqual([whole.length, inPieces.length], [wrong.length, wrong.length]);
});

test("a lost call, a lost word and a wrong argument are mistakes", async () => {
  const calls = [{ name: "f", arguments: { a: 1 } }];
  const one = { id: "one", text: "go <call>", expected: { calls, text: "go" } };
  const isWrong = async (found) => {
    const read = () => ({ broken: [], ...found });
    return (await mistakesOf({ whole: read, inPieces: read }, [one])).whole.length === 1;
  };
  assert.equal(await isWrong({ calls, text: " go\n" }), false);
  assert.equal(await isWrong({ calls: [], text: "go" }), true);
  assert.equal(await isWrong({ calls, text: "g" }), true);
  assert.equal(await isWrong({ calls: [{ name: "f", arguments: { a: "1" } }], text: "go" }), true);
});

for (const format of formats) {
  test(`both sides find the same in the text that is timed: ${format}`, async () => {
    const text = textOfCalls(format, 200);
    const [mine, theirs] = [toolwire, peer].map((side) => side.whole(text, { format, tools }));
    assert.equal(mine.calls.length, 200);
    assert.deepEqual(theirs.calls, mine.calls);
  });
}
