import toolwire = require("toolwire");

// @ts-expect-error: there is no such dialect
export const wrong: toolwire.Dialect = "nobody's";
export const text: string = toolwire.convertRequest('{"messages":[]}', { from: "openai", to: "openai" });

import("../uses.js").then(({ outcomes }) => outcomes(toolwire)).then((all) => console.log(JSON.stringify(all)));
