import toolwire = require("toolwire");

// @ts-expect-error: there is no such dialect
export const wrong: toolwire.Dialect = "nobody's";
export const text: string = toolwire.convertRequest('{"messages":[]}', { from: "openai", to: "openai" });

// to TypeScript, the declarations for `require` are others than those for `import`
import("../uses.js")
  .then(({ outcomes }) => outcomes(toolwire as never))
  .then((all) => console.log(JSON.stringify(all)));
