import "../../to-loopback.js";

export { POST } from "../../recipes/nextjs.js";
export const runtime = "edge";
export const dynamic = "force-dynamic";
