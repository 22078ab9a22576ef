import * as toolwire from "toolwire";
import { outcomes } from "../../uses.js";

export const runtime = "edge";
export const dynamic = "force-dynamic";
export const GET = async () => Response.json(await outcomes(toolwire));
