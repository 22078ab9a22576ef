import * as text from "../node_modules/toolwire/dist/text/index.js";
import { outcomes } from "../text-uses.js";

globalThis.outcome = outcomes(text);
