import * as toolwire from "toolwire/slim";
import module from "toolwire/toolwire.wasm";
import { outcomes } from "../uses.js";

toolwire.useModule(module);

export default {
  fetch: async () => Response.json(await outcomes(toolwire)),
};
