// The built entry point, as the tests load it.

export * as base from "../../../pkg/dist/index.js";
export * from "../../../pkg/dist/text/index.js";
