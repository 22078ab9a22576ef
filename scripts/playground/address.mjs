// The address at which the page will be served. Previews of links need it, because those who show them read absolute addresses only.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../lib/run.mjs";

/** `PLAYGROUND_URL`, or the folder of the page on the project's own site; undefined if neither is known. */
export function addressOfPage({ PLAYGROUND_URL: given } = process.env, { homepage } = project()) {
  if (!given && !homepage) return undefined;
  const address = URL.canParse(given || homepage)
    ? new URL(given || `${homepage.replace(/\/$/, "")}/play/`)
    : undefined;
  if (!/^https?:$/.test(address?.protocol ?? ""))
    throw new Error(`PLAYGROUND_URL: not an address: ${given || homepage}`);
  if (!address.pathname.endsWith("/")) address.pathname += "/";
  return address.href;
}

const project = () => JSON.parse(readFileSync(join(root, "project.json"), "utf8"));

const picture = '<meta property="og:image" content="./preview.png" />';

/** The page with what previews of links show at this address. */
export function withAddress(html, address) {
  if (!html.includes(picture)) throw new Error("the page has no picture for previews");
  if (address === undefined) return html;
  const absolute = picture.replace("./", address);
  return html.replace(picture, `<meta property="og:url" content="${address}" />\n    ${absolute}`);
}
