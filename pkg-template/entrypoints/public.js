// The exports of every entry point.

export * from "../../build/generated/toolwire/api.js";
export { convertCountRequest, convertCountResponse } from "../runtime/counts.js";
export { streamEvents } from "../runtime/streams.js";
