import * as toolkit from "toolwire/toolkit";
import { outcomes } from "../toolkit-uses.js";

export default {
  fetch: async () => Response.json(await outcomes(toolkit)),
};
