// Lines over sizes; both scales are logarithmic.

import { series as colours, element, legend, logarithmic, marks, picture, shown } from "./svg.mjs";

const width = 760;
const height = 400;
const area = { left: 60, right: 45, top: 78, bottom: 40 };
const labelsInRow = 3;

/** `series`: `{ label, points }`, each point `[size, value]`. A dashed line marks the value 1. */
export function lines({ title, series }) {
  const points = series.flatMap((one) => one.points);
  const [sizes, values] = [0, 1].map((index) => points.map((point) => point[index]));
  const xMarks = marks(Math.min(...sizes), Math.max(...sizes), [1]);
  const yMarks = marks(Math.min(...values), Math.max(...values));
  const x = logarithmic([xMarks[0], xMarks.at(-1)], [area.left, width - area.right]);
  const y = logarithmic([yMarks[0], yMarks.at(-1)], [height - area.bottom, area.top]);
  const elements = [];
  for (let row = 0; row * labelsInRow < series.length; row++) {
    const labels = series.map(({ label }) => label).slice(row * labelsInRow, (row + 1) * labelsInRow);
    elements.push(...legend(labels, area.left, 42 + row * 18, row * labelsInRow));
  }
  for (const mark of xMarks) {
    elements.push(element("line", { x1: x(mark), x2: x(mark), y1: area.top, y2: height - area.bottom, class: "grid" }));
    const place = { x: x(mark), y: height - 20, class: "small", "text-anchor": "middle" };
    elements.push(element("text", place, shown(mark)));
  }
  for (const mark of yMarks) {
    const line = {
      x1: area.left,
      x2: width - area.right,
      y1: y(mark),
      y2: y(mark),
      class: mark === 1 ? "even" : "grid",
    };
    elements.push(element("line", line));
    elements.push(
      element("text", { x: area.left - 8, y: y(mark) + 4, class: "small", "text-anchor": "end" }, shown(mark)),
    );
  }
  for (const [index, one] of series.entries()) {
    const path = one.points.map(([size, value]) => `${x(size).toFixed(1)},${y(value).toFixed(1)}`).join(" ");
    elements.push(element("polyline", { points: path, class: `line s${index % colours}` }));
    for (const [size, value] of one.points) {
      elements.push(element("circle", { cx: x(size), cy: y(value), r: 3, class: `f${index % colours}` }));
    }
  }
  return picture(width, height, title, elements);
}
