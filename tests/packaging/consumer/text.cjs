const text = require("toolwire/text");

import("./text-uses.js").then(({ outcomes }) => outcomes(text)).then((all) => console.log(JSON.stringify(all)));
