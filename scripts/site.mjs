// `npm run site`: builds the site with the documentation, the API reference and the playground.

import { parseArgs } from "node:util";
import { build } from "./build/all.mjs";
import { buildPlayground } from "./build/playground.mjs";
import { CommandFailed, main } from "./lib/run.mjs";
import { serveFolder } from "./playground/server.mjs";
import { buildSite, site } from "./site/build.mjs";
import { buildReference } from "./site/reference.mjs";

const help = `npm run site [-- --base PATH] [-- --serve] [-- --as-built]
    Builds the site in build/site/: static files for a server that serves /page from page.html.
    --base PATH  the path that it is served under (/)
    --serve      serves it on this machine
    --as-built   takes the package and the playground as they are, and leaves out the API reference
`;

await main(async () => {
  const { base, serve, "as-built": asBuilt, help: asked } = options();
  if (asked) return void process.stdout.write(help);
  if (!asBuilt) {
    await build();
    await buildPlayground();
  }
  await buildSite({ base, reference: asBuilt ? undefined : await buildReference() });
  console.log(site);
  if (!serve) return;
  const { url } = await serveFolder(site, { port: 5181, base });
  console.log(`\nThe site: ${url}\nCtrl-C ends it.`);
});

function options() {
  try {
    const { values } = parseArgs({
      options: {
        base: { type: "string", default: "/" },
        serve: { type: "boolean" },
        "as-built": { type: "boolean" },
        help: { type: "boolean", short: "h" },
      },
    });
    if (!/^\/(?:.*\/)?$/.test(values.base))
      throw new Error(`--base begins and ends with a slash, unlike ${values.base}`);
    return values;
  } catch (error) {
    throw new CommandFailed(error.message);
  }
}
