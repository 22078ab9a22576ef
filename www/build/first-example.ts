// The first example for the build, which reads files by itself.

import { readFileSync } from "node:fs";
import { firstDescription } from "../src/first-description.ts";

export { firstTarget } from "../src/first-description.ts";

const file = new URL("../examples/parallel-calls.json", import.meta.url);
export const firstExample = { ...firstDescription, text: readFileSync(file, "utf8") };
