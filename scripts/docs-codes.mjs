// `npm run docs:codes`: writes the tables of codes in docs/format.md from those in Rust.

import { writePage } from "./codes/page.mjs";
import { main } from "./lib/run.mjs";

await main(writePage);
