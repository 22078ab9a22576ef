// `npm run docs:vectors`: writes the lists of the vector files, tests/vectors/INDEX.md and tests/vectors/list.rs.

import { main } from "./lib/run.mjs";
import { writeLists } from "./vectors/lists.mjs";

await main(writeLists);
