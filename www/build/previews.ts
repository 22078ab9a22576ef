import type { Plugin } from "vite";
// @ts-expect-error: the build's scripts have no types
import { addressOfPage, withAddress } from "../../scripts/playground/address.mjs";

/** Makes the address of the picture for previews of links absolute, if the page's own address is known. */
export function previews(): Plugin {
  return {
    name: "previews",
    transformIndexHtml: { order: "pre", handler: (html) => withAddress(html, addressOfPage()) as string },
  };
}
