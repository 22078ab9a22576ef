import * as toolwire from "toolwire/common";
import { outcomes } from "./uses.js";

console.log(JSON.stringify(await outcomes(toolwire)));
