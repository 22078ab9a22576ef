// Serves the gateway from Node: `node node.js 8080`.

import { serve } from "toolwire/gateway/node";
import gateway from "./gateway.js";

const { url } = await serve(gateway.fetch, { port: Number(process.argv[2] ?? 8080) });
console.log(url);
