import * as toolkit from "toolwire/toolkit";
import { outcomes } from "./toolkit-uses.js";

console.log(JSON.stringify(await outcomes(toolkit)));
