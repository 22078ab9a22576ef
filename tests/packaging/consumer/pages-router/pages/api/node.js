import * as toolwire from "toolwire";
import { outcomes } from "../../../uses.js";

export const config = { runtime: "nodejs" };
export default async (_, response) => response.json(await outcomes(toolwire));
