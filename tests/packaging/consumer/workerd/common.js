import * as toolwire from "toolwire/common";
import { outcomes } from "../uses.js";

export default {
  fetch: async () => Response.json(await outcomes(toolwire)),
};
