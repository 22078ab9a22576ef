import * as toolwire from "toolwire";
import { outcomes } from "../../../uses.js";

export const config = { runtime: "edge" };
export default async () => Response.json(await outcomes(toolwire));
