// Plots as SVG files that are readable on light and dark backgrounds.

export const series = 6;

const style = `
    text { font: 12px system-ui, sans-serif; fill: #1f2328; }
    .title { font-size: 14px; font-weight: 600; }
    .small { font-size: 11px; fill: #59636e; }
    .grid { stroke: #d1d9e0; stroke-width: 1; }
    .even { stroke: #59636e; stroke-width: 1.5; stroke-dasharray: 4 3; }
    .line { fill: none; stroke-width: 2; }
    .f0 { fill: #0969da; } .s0 { stroke: #0969da; }
    .f1 { fill: #bc4c00; } .s1 { stroke: #bc4c00; }
    .f2 { fill: #1a7f37; } .s2 { stroke: #1a7f37; }
    .f3 { fill: #8250df; } .s3 { stroke: #8250df; }
    .f4 { fill: #bf3989; } .s4 { stroke: #bf3989; }
    .f5 { fill: #6e7781; } .s5 { stroke: #6e7781; }
    @media (prefers-color-scheme: dark) {
      text { fill: #f0f6fc; }
      .small { fill: #9198a1; }
      .grid { stroke: #3d444d; }
      .even { stroke: #9198a1; }
      .f0 { fill: #4493f8; } .s0 { stroke: #4493f8; }
      .f1 { fill: #f0883e; } .s1 { stroke: #f0883e; }
      .f2 { fill: #3fb950; } .s2 { stroke: #3fb950; }
      .f3 { fill: #ab7df8; } .s3 { stroke: #ab7df8; }
      .f4 { fill: #db61a2; } .s4 { stroke: #db61a2; }
      .f5 { fill: #8b949e; } .s5 { stroke: #8b949e; }
    }`;

export const escaped = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
const rounded = (value) => (typeof value === "number" ? String(Math.round(value * 10) / 10) : escaped(value));

/** One element; numbers are rounded. */
export function element(name, attributes, text) {
  const list = Object.entries(attributes).map(([key, value]) => ` ${key}="${rounded(value)}"`);
  return text === undefined ? `<${name}${list.join("")}/>` : `<${name}${list.join("")}>${escaped(text)}</${name}>`;
}

export function picture(width, height, title, elements) {
  const open = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`;
  const heading = element("text", { x: 10, y: 22, class: "title" }, title);
  const inside = [`<title>${escaped(title)}</title>`, `<style>${style}\n  </style>`, heading, ...elements];
  return `${[open, ...inside.map((line) => `  ${line}`), "</svg>"].join("\n")}\n`;
}

/** A logarithmic scale between two positions: `at(value)` is the position of a value. */
export function logarithmic([least, most], [start, end]) {
  const span = Math.log(most) - Math.log(least);
  return (value) => start + ((Math.log(value) - Math.log(least)) / span) * (end - start);
}

/** 1, 2 and 5 times the powers of ten from below `least` to above `most`: the ticks of a scale. */
export function marks(least, most, steps = [1, 2, 5]) {
  const all = [];
  for (let power = Math.floor(Math.log10(least)); power <= Math.ceil(Math.log10(most)); power++) {
    for (const step of steps) all.push(step * 10 ** power);
  }
  const last = all.findIndex((mark) => mark >= most);
  return all.slice(
    all.findLastIndex((mark) => mark <= least),
    last + 1,
  );
}

export const shown = (number) => Number(number.toPrecision(3)).toLocaleString("en", { maximumSignificantDigits: 3 });

/** A legend of the colours, in a row; the first has the index `colour`. */
export function legend(labels, x, y, colour = 0) {
  let left = x;
  return labels.flatMap((label, index) => {
    const box = element("rect", { x: left, y: y - 9, width: 10, height: 10, class: `f${(colour + index) % series}` });
    const text = element("text", { x: left + 15, y, class: "small" }, label);
    left += 30 + label.length * 6.5;
    return [box, text];
  });
}
