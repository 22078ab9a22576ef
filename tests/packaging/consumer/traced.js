// Copies the files that a program needs into the folder `traced`, like hosts that don't deploy all of node_modules.

import { cpSync } from "node:fs";
import { join } from "node:path";
import { nodeFileTrace } from "@vercel/nft";

const { fileList } = await nodeFileTrace(process.argv.slice(2));
for (const file of fileList) cpSync(file, join("traced", file));
