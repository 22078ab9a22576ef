import * as text from "toolwire/text";
import { outcomes } from "./text-uses.js";

console.log(JSON.stringify(await outcomes(text)));
