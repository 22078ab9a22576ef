const toolkit = require("toolwire/toolkit");

import("./toolkit-uses.js").then(({ outcomes }) => outcomes(toolkit)).then((all) => console.log(JSON.stringify(all)));
