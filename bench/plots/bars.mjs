// A bar chart of ratios: a group for each label, a bar for each series. Bars start at 1: to the left, the package is faster.

import { series as colours, element, legend, logarithmic, marks, picture, shown } from "./svg.mjs";

const width = 760;
const left = 190;
const right = 60;
const top = 62;
const bar = 14;
const gap = 12;

/** `groups`: `{ label, values }`, a value for each of `series`. */
export function bars({ title, series, groups }) {
  const ratios = groups.flatMap(({ values }) => values);
  const scaleMarks = marks(Math.min(...ratios.map((ratio) => ratio * 0.7), 0.5), Math.max(...ratios, 1));
  const at = logarithmic([scaleMarks[0], scaleMarks.at(-1)], [left, width - right]);
  const height = top + groups.length * (series.length * bar + gap) + 30;
  const elements = [...legend(series, left, 44)];
  for (const mark of scaleMarks) {
    const line = { x1: at(mark), x2: at(mark), y1: top - 6, y2: height - 26, class: mark === 1 ? "even" : "grid" };
    elements.push(element("line", line));
    elements.push(
      element("text", { x: at(mark), y: height - 10, class: "small", "text-anchor": "middle" }, shown(mark)),
    );
  }
  for (const [index, { label, values }] of groups.entries()) {
    const y = top + index * (series.length * bar + gap);
    const middle = y + (values.length * bar) / 2 + 4;
    elements.push(element("text", { x: left - 10, y: middle, "text-anchor": "end" }, label));
    for (const [place, value] of values.entries()) {
      const [from, to] = [at(1), at(value)].sort((a, b) => a - b);
      const box = {
        x: from,
        y: y + place * bar + 1,
        width: Math.max(1, to - from),
        height: bar - 2,
        class: `f${place % colours}`,
      };
      elements.push(element("rect", box));
      const beside = value < 1 ? { x: from - 5, "text-anchor": "end" } : { x: to + 5 };
      elements.push(element("text", { ...beside, y: y + place * bar + bar - 3, class: "small" }, value.toFixed(2)));
    }
  }
  return picture(width, height, title, elements);
}
