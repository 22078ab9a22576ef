// `npm run docs:quirks`: writes docs/quirks.md from tests/quirks.json and the vectors.

import { main } from "./lib/run.mjs";
import { writePage } from "./quirks/all.mjs";

await main(writePage);
