import * as toolwire from "toolwire";
import { outcomes } from "./uses.js";

console.log(JSON.stringify(await outcomes(toolwire)));
