import * as toolkit from "../node_modules/toolwire/dist/toolkit/index.js";
import { outcomes } from "../toolkit-uses.js";

globalThis.outcome = outcomes(toolkit);
