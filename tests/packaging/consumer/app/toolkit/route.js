import * as toolkit from "toolwire/toolkit";
import { outcomes } from "../../toolkit-uses.js";

export const runtime = "edge";
export const dynamic = "force-dynamic";
export const GET = async () => Response.json(await outcomes(toolkit));
