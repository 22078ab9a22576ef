// Links of the repository's Markdown, as links of the site.

import { existsSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import { root } from "../lib/run.mjs";

const link = /(!?)\[((?:`[^`]*`|!\[[^\]]*\]\([^)]*\)|[^[\]`])*)\]\(([^)\s#]*)(#[^)\s]*)?\)/g;
const fence = /^( *)(`{3,})[\s\S]*?^\1\2$/gm;

/** Applies `change` to the parts of a Markdown text that are not in code blocks. */
export function outsideCode(text, change) {
  let end = 0;
  const parts = [];
  for (const block of text.matchAll(fence)) {
    parts.push(change(text.slice(end, block.index)), block[0]);
    end = block.index + block[0].length;
  }
  return [...parts, change(text.slice(end))].join("");
}

/** Endings that VitePress knows not to be pages. */
const known = /\.(?:json|m?js|ts|txt|svg|png)$/;

/** A link to a file as it is, which the browser opens, not the page's script. */
export const rawLink = (label, path, base) =>
  known.test(path) ? `[${label}](/files/${path})` : `[${label}](${base}files/${path}){target="_self"}`;

/**
 * The text of a page, with its links to pages, to other files of the repository, and to images. `addresses` has the pages by file; `used`
 * collects the paths of other files and of images.
 */
export function linked(text, file, { addresses, used, base }) {
  const resolve = (target) => posix.join(posix.dirname(file), target).replace(/\/$/, "");
  const replace = (whole, image, label, target, anchor = "") => {
    if (target === "" || /^[a-z]+:|^\//.test(target)) return whole;
    const path = resolve(target);
    const inner = image ? label : label.replaceAll(link, replace);
    const address = addresses.get(path);
    if (address) return `[${inner}](${address}${anchor})`;
    if (!existsSync(join(root, path))) throw new Error(`${file}: ${target} does not exist`);
    used.add(path);
    if (image) return `![${inner}](/files/${path})`;
    if (statSync(join(root, path)).isDirectory()) return `[${inner}](/files/${path}/)`;
    return rawLink(inner, path, base);
  };
  return outsideCode(text, (part) => part.replaceAll(link, replace));
}
