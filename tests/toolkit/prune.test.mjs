// `pruneMessages`: shorter conversations that stay valid.

import assert from "node:assert/strict";
import { test } from "node:test";
import { isComplete, response, scripted } from "./support/model.mjs";
import { pruneMessages, runAgent, Toolkit } from "./support/toolkit.mjs";

const call = (id) => ({ role: "assistant", content: "", toolCalls: [{ id, name: "look", arguments: {} }] });
const result = (toolCallId) => ({
  role: "tool",
  toolCallId,
  name: "look",
  kind: "text",
  value: `result ${toolCallId}`,
});
const says = (role, content) => ({ role, content });

const conversation = [
  says("system", "Be brief."),
  ...[says("user", "one"), call("a"), result("a"), says("assistant", "1")],
  ...[says("user", "two"), says("user", "and more"), call("b"), result("b"), says("assistant", "2")],
  ...[says("user", "three"), call("c"), result("c")],
];
const words = (messages) => messages.map(({ role, content, value }) => (role === "tool" ? value : content));

test("keepTurns keeps whole turns, and every system message", () => {
  const two = pruneMessages(conversation, { keepTurns: 2 });
  assert.deepEqual(two, [conversation[0], ...conversation.slice(5)]);
  const one = pruneMessages(conversation, { keepTurns: 1 });
  assert.deepEqual(one, [conversation[0], ...conversation.slice(10)]);
  assert.ok(isComplete(two) && isComplete(one));
});

test("a message that the loop wrote does not begin a turn", () => {
  const note = { ...says("user", "Do not repeat it."), metadata: { toolwire: { note: true } } };
  const pruned = pruneMessages([...conversation, note, call("d"), result("d")], { keepTurns: 1 });
  assert.equal(words(pruned)[1], "three");
});

test("more turns than there are keep everything", () => {
  for (const keepTurns of [3, 4, 100, undefined])
    assert.deepEqual(pruneMessages(conversation, { keepTurns }), conversation, keepTurns);
});

test("keepTurns: 0 keeps the system messages", () => {
  assert.deepEqual(pruneMessages(conversation, { keepTurns: 0 }), [conversation[0]]);
});

test("a system message in the middle is kept", () => {
  const late = says("system", "Be polite.");
  const messages = [...conversation.slice(0, 5), late, ...conversation.slice(5)];
  assert.deepEqual(words(pruneMessages(messages, { keepTurns: 1 })).slice(0, 3), ["Be brief.", "Be polite.", "three"]);
});

test("clearResultsBefore replaces results outside the last turns, and nothing else", () => {
  const pruned = pruneMessages(conversation, { clearResultsBefore: 1 });
  assert.equal(pruned.length, conversation.length);
  assert.match(pruned[3].value, /was removed/);
  assert.match(pruned[8].value, /was removed/);
  assert.equal(pruned.at(-1).value, "result c");
  for (const [index, message] of pruned.entries())
    if (message.role !== "tool") assert.equal(message, conversation[index]);
  assert.ok(isComplete(pruned));
});

test("a cleared result keeps its call id and name, and neither blocks nor the error mark", () => {
  const failed = { ...result("a"), isError: true, kind: "data", value: { error: "x" }, metadata: { openai: {} } };
  const [cleared] = pruneMessages([failed], { clearResultsBefore: 0 });
  assert.deepEqual(Object.keys(cleared).sort(), ["kind", "name", "role", "toolCallId", "value"]);
  assert.deepEqual([cleared.toolCallId, cleared.name, cleared.kind], ["a", "look", "text"]);
});

test("the messages that are passed stay as they are", () => {
  const before = structuredClone(conversation);
  pruneMessages(conversation, { keepTurns: 1, clearResultsBefore: 0 });
  assert.deepEqual(conversation, before);
});

test("a run that prunes its requests keeps the whole conversation", async () => {
  const { send, requests } = scripted(response("", [["d", "look"]]), response("Done."));
  const toolkit = new Toolkit([{ name: "look", execute: () => "seen" }]);
  const messages = [...conversation.slice(0, -3), says("user", "four")];
  const prepare = ({ request }) => ({ messages: pruneMessages(request.messages, { keepTurns: 1 }) });
  const outcome = await runAgent({ request: { messages }, toolkit, send, prepare });
  assert.deepEqual(
    requests.map((request) => words(request.messages)[1]),
    ["four", "four"],
  );
  assert.ok(requests.every((request) => isComplete(request.messages)));
  assert.equal(outcome.messages.length, messages.length + 3);
});
