// `npm run build`: leaves the package ready to publish in pkg/.

import { build } from "./build/all.mjs";
import { main } from "./lib/run.mjs";

await main(build);
