import * as text from "toolwire/text";
import { outcomes } from "../text-uses.js";

const stage: text.Simulation = text.simulateTools({ format: "json", place: "user" });
// @ts-expect-error: no such place
export const wrong: text.SimulationOptions = { format: "json", place: "end" };
text.toOpenAI({ model: "m", messages: [{ role: "user", content: "Hi" }] }, { simulateTools: stage });

console.log(JSON.stringify(await outcomes(text)));
