import "../../to-loopback.js";

export { POST } from "../../recipes/nextjs.js";
export const runtime = "nodejs";
export const dynamic = "force-dynamic";
