import * as text from "toolwire/text";
import { outcomes } from "../../text-uses.js";

export const runtime = "edge";
export const dynamic = "force-dynamic";
export const GET = async () => Response.json(await outcomes(text));
