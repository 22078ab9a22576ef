import * as text from "toolwire/text";
import { outcomes } from "../text-uses.js";

export default {
  fetch: async () => Response.json(await outcomes(text)),
};
