// The server of `toolwire playground`, for the scripts and the tests.

export { serveFolder } from "../../pkg-template/command/serve-folder.js";
