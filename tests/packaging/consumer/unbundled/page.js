import * as toolwire from "../node_modules/toolwire/dist/index.js";
import { outcomes } from "../uses.js";

globalThis.outcome = outcomes(toolwire);
