// The built site: its pages, its links and its search index.

import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import { pathToFileURL } from "node:url";
import { site } from "../../scripts/site/build.mjs";
import { searchOptions } from "../../scripts/site/search.mjs";

/** The HTML files of VitePress, by address: not those of the playground and of the API reference. */
export function htmlPages() {
  const files = readdirSync(site, { recursive: true }).filter((name) => name.endsWith(".html"));
  const own = files.filter((name) => !/^(?:play|api|files\/(?!.*index\.html))\b/.test(name));
  return new Map(own.map((name) => [addressOf(name), readFileSync(join(site, name), "utf8")]));
}

const addressOf = (name) => `/${name.replace(/(?:(^|\/)index)?\.html$/, "$1")}`;

/** The file that a server returns for an address, or undefined. */
export function fileAt(address) {
  const path = join(site, decodeURIComponent(address));
  const found = address.endsWith("/") ? [join(path, "index.html")] : [path, `${path}.html`];
  return found.find((file) => existsSync(file) && statSync(file).isFile());
}

const attribute = /<(?<tag>[a-z]+)\b[^>]*?\s(?<name>href|src)="(?<value>[^"]*)"/g;

/** `[{ tag, path, anchor, isExternal }]` of an HTML text. */
export function linksIn(html, address) {
  return [...html.replaceAll(/<pre[\s\S]*?<\/pre>/g, "").matchAll(attribute)].map(({ groups: { tag, value } }) => {
    const [target, anchor = ""] = value.replaceAll("&amp;", "&").split("#");
    const isExternal = /^[a-z]+:|^\/\//.test(target);
    const path = target === "" ? address : posix.resolve(posix.dirname(`${address}x`), target);
    return { tag, value, isExternal, path: target.endsWith("/") && path !== "/" ? `${path}/` : path, anchor };
  });
}

/** Searches as the page does, and returns `[{ address, title, titles }]`, the best first. */
export async function openSearch() {
  const { default: MiniSearch } = await import(
    pathToFileURL(join(site, "../../tools/site/node_modules/minisearch/dist/es/index.js")).href
  );
  const chunks = join(site, "assets/chunks");
  const name = readdirSync(chunks).find((file) => file.startsWith("@localSearchIndexroot"));
  const { default: json } = await import(pathToFileURL(join(chunks, name)).href);
  const index = MiniSearch.loadJSON(json, {
    fields: ["title", "titles", "text"],
    storeFields: ["title", "titles"],
    searchOptions,
  });
  return (query) => index.search(query).map(({ id, title, titles }) => ({ address: id, title, titles }));
}
