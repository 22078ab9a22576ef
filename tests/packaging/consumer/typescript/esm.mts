import * as toolwire from "toolwire";
import { outcomes } from "../uses.js";

// @ts-expect-error: there is no such dialect
export const wrong: toolwire.Dialect = "nobody's";
export const text: string = toolwire.convertRequest('{"messages":[]}', { from: "openai", to: "openai" });

console.log(JSON.stringify(await outcomes(toolwire)));
