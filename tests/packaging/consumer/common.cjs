const toolwire = require("toolwire/common");

import("./uses.js").then(({ outcomes }) => outcomes(toolwire)).then((all) => console.log(JSON.stringify(all)));
