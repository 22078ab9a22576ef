import * as toolwire from "../node_modules/toolwire/dist/index.js";
import { outcomes } from "../uses.js";

postMessage(await outcomes(toolwire));
