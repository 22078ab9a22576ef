// The wasm as a string, for where files are not read.

module.exports = require("module:bytes").default;
