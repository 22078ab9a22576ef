// What every entry point exports.

export * from "../../build/generated/api.js";
export { streamEvents } from "../runtime/streams.js";
