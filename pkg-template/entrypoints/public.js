// What every entry point exports.

export * from "../../build/generated/toolwire/api.js";
export { streamEvents } from "../runtime/streams.js";
