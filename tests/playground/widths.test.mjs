// The layout at every width from 320 to 1600 pixels: nothing sticks out of the window, is cut off, or lies on something else.

import assert from "node:assert/strict";
import { openFragment, setUp, show, showExample } from "./support/page.mjs";

const { playground } = setUp();

const widths = Array.from({ length: 41 }, (_, index) => 320 + 32 * index);
/** High enough for the whole page, so that all of it can be hit. */
const height = 2400;

/** In the page: what is out of place. */
function misplaced() {
  const width = document.documentElement.clientWidth;
  const found = [];
  const { scrollWidth } = document.documentElement;
  if (scrollWidth > width) found.push(`the page is ${scrollWidth} wide`);
  const name = ({ localName, id, textContent }) => `${localName}${id && `#${id}`} "${textContent.trim().slice(0, 20)}"`;
  const seen = (selector) =>
    [...document.querySelectorAll(selector)].filter(
      (element) =>
        element.checkVisibility({ visibilityProperty: true }) &&
        !element.closest(".cm-editor, .hidden, .skip, [popover], svg"),
    );
  const clips = (element) =>
    element && (getComputedStyle(element).overflowX !== "visible" || clips(element.parentElement));
  for (const element of seen("body *")) {
    const { left, right, width: own } = element.getBoundingClientRect();
    if (own > 0 && (right > width + 1 || left < -1) && !clips(element.parentElement))
      found.push(`out: ${name(element)}`);
    const { overflowX, textOverflow } = getComputedStyle(element);
    const isCut =
      element.clientWidth > 1 && element.scrollWidth > element.clientWidth + 1 && /hidden|clip/.test(overflowX);
    if (isCut && element.matches("button, label, a, h2, h3, .badge") && textOverflow !== "ellipsis")
      found.push(`cut: ${name(element)}`);
  }
  const controls = seen("button, select, input, a[href]").map((element) => [element, element.getBoundingClientRect()]);
  for (const [index, [one, a]] of controls.entries()) {
    for (const [other, b] of controls.slice(index + 1)) {
      const [left, right] = [Math.max(a.left, b.left), Math.min(a.right, b.right)];
      const [top, bottom] = [Math.max(a.top, b.top), Math.min(a.bottom, b.bottom)];
      if (right - left <= 1 || bottom - top <= 1 || one.contains(other) || other.contains(one)) continue;
      // what is scrolled out of sight is not hit
      const hit = document.elementsFromPoint((left + right) / 2, (top + bottom) / 2);
      if (hit.includes(one) && hit.includes(other)) found.push(`${name(one)} lies on ${name(other)}`);
    }
  }
  return found;
}

const states = {
  "an example": () => {},
  "the matrix": (page) => show(page, "matrix"),
  "outputs side by side": (page) => show(page, "all"),
  "an exchange": async (page) => {
    await show(page, "anthropic");
    await show(page, "exchange");
  },
  "a round trip": (page) => show(page, "roundTrip"),
  "a stream": (page) => showExample(page, "stream-openai"),
  ...Object.fromEntries(
    ["tools", "text", "agent", "facts"].map((section) => [
      section,
      async (page) => {
        await openFragment(page, `/${section}`);
        await page.locator("#section button, #section select").first().waitFor();
      },
    ]),
  ),
};

for (const [state, begin] of Object.entries(states)) {
  playground(
    `nothing is out of place at any width: ${state}`,
    async (page) => {
      if (state === "a round trip") await show(page, "anthropic");
      await begin(page);
      const wrong = [];
      for (const width of widths) {
        await page.setViewportSize({ width, height });
        // the tabs are arranged in the next frame
        await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
        const found = await page.evaluate(misplaced);
        if (found.length > 0) wrong.push(`${width}: ${found.slice(0, 3).join("; ")}`);
      }
      assert.deepEqual(wrong, []);
    },
    { viewport: { width: 1440, height } },
  );
}
