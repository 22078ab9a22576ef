// The editor of the source, used with keyboard and mouse.

import assert from "node:assert/strict";
import { paste, settledAfter, setUp, show, watchPauses } from "./support/page.mjs";

const { playground } = setUp();

const source = (page) => page.locator("#source-editor");
const lines = (page) => source(page).locator(".cm-line").allTextContents();
const marked = (page, kind) => source(page).locator(`.cm-${kind}`).allInnerTexts();
/** The element in the gutter that folds or unfolds a line. */
const gutterOf = (page, line) => source(page).locator(".cm-foldGutter .cm-gutterElement").nth(line);
const press = async (page, ...keys) => {
  for (const key of keys) await page.keyboard.press(key);
};

const nested = { messages: [{ role: "user", content: "a { in [ text" }], tools: [], seed: 7 };

playground("JSON and server-sent events have their colours", async (page) => {
  await paste(page, String.raw`{"a\"b" : "c: \\", "n":-1.5e3, "t":[true,null]}`);
  assert.deepEqual(await marked(page, "key"), [String.raw`"a\"b"`, '"n"', '"t"']);
  assert.deepEqual(await marked(page, "string"), [String.raw`"c: \\"`]);
  assert.deepEqual(await marked(page, "atom"), ["-1.5e3", "true", "null"]);
  await paste(page, '"cut');
  assert.deepEqual(await marked(page, "string"), ['"cut']);
  await paste(page, 'event: ping\ndata: {"type":"ping"}\n\ndata: [DONE]\n\n');
  assert.deepEqual(await marked(page, "field"), ["event:", "data:", "data:"]);
  assert.deepEqual(await marked(page, "key"), ['"type"']);
});

playground("what is scrolled to has its colours", async (page) => {
  await paste(page, JSON.stringify({ first: Array(500).fill(7), last: 1 }, undefined, 2));
  assert.equal((await marked(page, "key")).at(-1), '"last"');
  await press(page, "Control+Home");
  await source(page).locator(".cm-key", { hasText: "first" }).waitFor();
});

playground("words that run from right to left stay where JSON has them", async (page) => {
  await paste(page, '{"שלום":"עולם","b":["אחת","שתיים"]}');
  const tokens = await source(page)
    .locator(".cm-key, .cm-string")
    .evaluateAll((all) =>
      all.map((element) => element.getBoundingClientRect()).map(({ left, right }) => [left, right]),
    );
  assert.equal(tokens.length, 5);
  for (const [index, [, right]] of tokens.slice(0, -1).entries()) assert.ok(right <= tokens[index + 1][0], `${tokens}`);
});

playground("what spans lines is folded and unfolded", async (page) => {
  await paste(page, JSON.stringify(nested, undefined, 2));
  const all = await lines(page);
  // The first marker gives the gutter its width.
  await gutterOf(page, 2).click();
  assert.deepEqual((await lines(page)).slice(0, 3), ["{", '  "messages": […],', '  "tools": [],']);
  const heights = await source(page)
    .locator(".cm-line")
    .evaluateAll((all) => all.map(({ offsetHeight }) => offsetHeight));
  assert.equal(new Set(heights).size, 1, `lines are ${heights} high`);
  await source(page).locator(".cm-foldPlaceholder").click();
  assert.deepEqual(await lines(page), all);
  await source(page).locator(".cm-content").focus();
  await press(page, "Control+Home", "ArrowDown", "Control+Shift+BracketLeft");
  assert.equal((await lines(page)).length, all.length - 5);
  await press(page, "Control+Shift+BracketRight");
  assert.deepEqual(await lines(page), all);
  await press(page, "Control+Alt+BracketLeft");
  assert.deepEqual(await lines(page), ["{…}"]);
  await press(page, "Control+Alt+BracketRight");
  assert.deepEqual(await lines(page), all);
});

playground("of several folds in a line, the one that is clicked is unfolded", async (page) => {
  await paste(page, '{\n"a": [\n1\n], "b": [\n2\n]\n}');
  await press(page, "Control+Home", "ArrowDown", "Control+Shift+BracketLeft", "Control+Shift+BracketLeft");
  assert.deepEqual(await lines(page), ["{", '"a": […], "b": […]', "}"]);
  await source(page).getByRole("button", { name: "Unfold" }).nth(1).click();
  assert.deepEqual(await lines(page), ["{", '"a": […], "b": [', "2", "]", "}"]);
});

playground("folds leave the focus where it is, and open with the keyboard", async (page) => {
  await paste(page, JSON.stringify(nested, undefined, 2));
  const isInSource = () => page.evaluate(() => document.activeElement.matches("#source-editor .cm-content"));
  await gutterOf(page, 2).click();
  assert.ok(await isInSource());
  await page.getByLabel("Kind").focus();
  await source(page).getByRole("button", { name: "Unfold" }).click();
  assert.equal(await page.evaluate(() => document.activeElement.id), "kind");
  await gutterOf(page, 2).click();
  assert.equal(await page.evaluate(() => document.activeElement.id), "kind");
  await source(page).locator(".cm-content").focus();
  await press(page, "Tab", "Enter");
  assert.equal(await source(page).getByRole("button", { name: "Unfold" }).count(), 0);
  assert.ok(await isInSource());
});

playground("nothing is deleted unseen, and no fold outlives its brackets", async (page) => {
  const text = JSON.stringify(nested, undefined, 2);
  for (const keys of [
    ["End", "ArrowLeft", "ArrowLeft", "Backspace"],
    ["Home", ...Array(14).fill("ArrowRight"), "Delete"],
  ]) {
    await paste(page, text);
    const { length } = await lines(page);
    await gutterOf(page, 2).click();
    await source(page).locator(".cm-line").nth(1).click();
    await press(page, ...keys);
    assert.ok((await lines(page)).length >= length - 1, keys.at(-1));
    assert.equal(await source(page).locator(".cm-foldPlaceholder").count(), 0);
  }
  const said = (content, max_tokens) => ({ model: "m", messages: [{ role: "user", content }], max_tokens });
  await paste(page, said("x", 5));
  const card = page.locator('[data-to="anthropic"]');
  const output = () => card.locator(".cm-line").allTextContents();
  await card.locator(".cm-foldGutter .cm-gutterElement").nth(3).click();
  assert.deepEqual((await output()).slice(3), ['  "messages": [', "    {…}", "  ]", "}"]);
  await paste(page, said("y", 5));
  assert.deepEqual((await output()).slice(3), ['  "messages": [', "    {…}", "  ]", "}"]);
  await paste(page, said("z", 6));
  assert.ok((await output()).includes('      "content": "z"'));
  // The added text ends with the same lines as the folded text.
  await card.locator(".cm-foldGutter .cm-gutterElement").nth(2).click();
  assert.deepEqual((await output()).slice(3), ['  "messages": […]', "}"]);
  await paste(page, { ...said("w", 6), tools: [{ type: "function", function: { name: "f" } }] });
  assert.ok((await output()).some((line) => line.startsWith('  "tools": [')));
});

playground("a finding in what is folded opens it", async (page) => {
  await paste(page, JSON.stringify(nested, undefined, 2));
  await press(page, "Control+Alt+BracketLeft");
  assert.deepEqual(await lines(page), ["{…}"]);
  await page.getByRole("button", { name: "/seed" }).first().click();
  assert.ok((await lines(page)).includes('  "seed": 7'));
});

playground("a bracket's other half is marked, brackets in text are none", async (page) => {
  await paste(page, JSON.stringify(nested, undefined, 2));
  await press(page, "Control+Home");
  assert.deepEqual(await marked(page, "matchingBracket"), ["{", "}"]);
  await press(page, "Control+End");
  assert.deepEqual(await marked(page, "matchingBracket"), ["{", "}"]);
  await paste(page, '{"a { b":[{}]}');
  await press(page, "Home", ...Array(5).fill("ArrowRight"));
  assert.deepEqual(await marked(page, "matchingBracket"), []);
  await press(page, "End", "ArrowLeft");
  assert.deepEqual(await marked(page, "matchingBracket"), ["[", "]"]);
});

playground("lines begin as deep as they should, characters are deleted whole, and all is undone", async (page) => {
  await paste(page, '  {"a":[]}');
  await press(page, "End", "ArrowLeft", "ArrowLeft", "Enter");
  await page.keyboard.type("1,");
  await press(page, "Enter");
  await page.keyboard.type("2");
  assert.deepEqual(await lines(page), ['  {"a":[', "    1,", "    2", "  ]}"]);
  await press(page, "Backspace", "Backspace", "Shift+Home", "Backspace");
  assert.deepEqual(await lines(page), ['  {"a":[', "    1,", "", "  ]}"]);
  await press(page, "Backspace", "Delete");
  assert.deepEqual(await lines(page), ['  {"a":[', "    1,  ]}"]);
  await paste(page, '"👩‍👩‍👧x👩‍👩‍👧"');
  await press(page, "Home", "ArrowRight", "Delete", "End", "ArrowLeft", "Backspace");
  assert.deepEqual(await lines(page), ['"x"']);
  await press(page, "Control+z", "Control+z");
  assert.deepEqual(await lines(page), ['"👩‍👩‍👧x👩‍👩‍👧"']);
  await press(page, "Control+y");
  assert.deepEqual(await lines(page), ['"x👩‍👩‍👧"']);
});

playground("the first text is not undone", async (page) => {
  const all = await lines(page);
  await source(page).locator(".cm-content").focus();
  await press(page, "Control+z");
  assert.deepEqual(await lines(page), all);
});

playground(
  "what a finding says is said once, and within the page",
  async (page) => {
    await page.getByRole("button", { name: "Source", exact: true }).click();
    await paste(page, '{"messages":[{"role":"user","content":"a"}],\n"metadata": 7,                    "seed": 7}');
    await press(page, "Control+End", "F8", "F8", "F8");
    assert.equal(await page.evaluate(() => getSelection().toString()), '"seed": 7');
    assert.deepEqual(await page.locator(".cm-explanation code").allInnerTexts(), ["setting_dropped"]);
    const { x, width } = await page.locator(".cm-tooltip").boundingBox();
    assert.ok(x + width <= 390 - 8, `it ends at ${x + width}`);
  },
  { viewport: { width: 390, height: 844 } },
);

playground("F8 leads to every finding, what is within another's place and what is folded as well", async (page) => {
  const messages = '[{"role":"user","content":"a"}]';
  await paste(page, `{"messages":${messages}, "x": [\n1, 2], "metadata": {\n"seed": 7}, "seed": 7, "y":{\n"5": 1}}`);
  await press(page, "Control+Home", "Control+Alt+BracketLeft");
  const selected = [];
  for (let count = 0; count < 5; count++) {
    await press(page, "F8");
    selected.push(await page.evaluate(() => getSelection().toString()));
    assert.equal(await page.locator(".cm-tooltip").count(), 1);
  }
  assert.deepEqual(selected.slice(1), ['"x": [', '"metadata": {', '"seed": 7', '"y":{']);
  assert.match(selected[0], /^\{"messages"/);
  assert.match(await page.locator("#outcome").innerText(), /Anthropic has no `y`/);
  await press(page, "Escape");
  await page.locator(".cm-tooltip").waitFor({ state: "detached" });
  await source(page).locator(".cm-finding", { hasText: "seed" }).last().hover();
  await page.locator(".cm-tooltip").waitFor();
  await press(page, "Escape");
  await page.locator(".cm-tooltip").waitFor({ state: "detached" });
});

playground("where text breaks off, its last character is marked", async (page) => {
  await paste(page, '{"messages":[\n7\n\n');
  await page.getByRole("button", { name: "Keep what was pasted" }).click();
  await page.locator("#findings").getByText("invalid_json").waitFor();
  assert.deepEqual(await marked(page, "finding"), ["7"]);
});

playground("unchanged lines of a round trip are hidden until they are asked for", async (page) => {
  await show(page, "universal");
  await show(page, "roundTrip");
  await page.locator("#stage del").first().waitFor();
  const hidden = page.locator(".cm-collapsedLines");
  const before = await hidden.count();
  assert.ok(before > 0);
  assert.match(await hidden.first().innerText(), /^\d+ unchanged lines$/);
  const linesBefore = (button) => {
    const lines = [...button.parentElement.children];
    return lines
      .slice(0, lines.indexOf(button))
      .slice(-4)
      .map((line) => line.className.includes("changed"));
  };
  assert.deepEqual(await hidden.first().evaluate(linesBefore), [true, false, false, false]);
  await hidden.first().focus();
  await press(page, "Enter");
  assert.equal(await hidden.count(), before - 1);
  assert.match(await page.evaluate(() => document.activeElement.ariaLabel), /^What came back/);
  assert.ok((await page.locator(".cm-deletedText").count()) > 0);
  assert.ok((await page.locator(".cm-changedLine").count()) > 0);
});

playground("a difference marks lines with signs, and no line that only has others after it", async (page) => {
  await show(page, "universal");
  await show(page, "roundTrip");
  await page.locator("#stage del").first().waitFor();
  assert.ok((await page.locator("#stage").getByRole("insertion").count()) > 0);
  const sign = (selector) =>
    page
      .locator(selector)
      .first()
      .evaluate((line) => getComputedStyle(line, "::before").content);
  assert.deepEqual([await sign("#stage .cm-deletedLine"), await sign("#stage .cm-changedLine")], ['"−"', '"+"']);
  const chunk = (choice) =>
    `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", model: "m", created: 1, choices: [choice] })}`;
  const first = { index: 0, delta: { role: "assistant", content: "" }, logprobs: null, finish_reason: null };
  const last = { index: 0, delta: {}, finish_reason: "stop", logprobs: null };
  await paste(page, `${chunk(first)}\n\n${chunk(last)}`);
  await show(page, "canonical");
  await show(page, "roundTrip");
  await page.locator("#stage .cm-changedLine").first().waitFor();
  assert.equal(await page.locator("#stage del").count(), 0);
  assert.deepEqual(await page.locator("#stage .cm-changedLine").allTextContents(), ["", "data: [DONE]", "", ""]);
});

playground("1 MB in one line is coloured at its end as at its start", async (page, { diagnostic }) => {
  const content = 'All "work" and no play, 7 days. '.repeat(400);
  await paste(page, { messages: Array.from({ length: 80 }, () => ({ role: "user", content })), n: 5 });
  const longestPause = await watchPauses(page);
  await press(page, "Control+End", "ArrowLeft");
  for (const letter of "     ") await page.keyboard.type(letter, { delay: 60 });
  await settledAfter(page);
  assert.equal((await marked(page, "key")).at(-1), '"n"');
  assert.equal((await marked(page, "quiet")).at(-1), "}");
  // The visible part starts inside a string, in which numbers are not highlighted.
  assert.deepEqual(await marked(page, "atom"), ["5"]);
  assert.match((await marked(page, "string")).at(-1), /days\. "$/);
  const pause = await longestPause();
  diagnostic(`the longest pause of the page: ${Math.round(pause)} ms`);
  // If a position is a whole line, its start is marked.
  await press(page, "F8");
  assert.equal(await page.evaluate(() => getSelection().toString().length), 160);
  assert.ok(pause < 400, `${pause} ms`);
});
