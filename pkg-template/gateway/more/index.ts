// What few requests need: lists of models, counts of tokens, stored responses, metrics, simulated tools, and what only Bedrock has. The gateway
// passes what they share: this file has no classes of its own that the gateway would have to recognize.

export { isBinary, withPayloads } from "../../http/binary-messages.js";
export { withoutModelText } from "../../http/model-in-path.js";
export { lacksTools } from "../../http/no-tools.js";
export { countTokens } from "./count.js";
export { framingOf } from "./framing.js";
export { withoutHost } from "./host.js";
export { Metrics } from "./metrics.js";
export { listOfModels, Models, oneModel, shownModel } from "./models.js";
export { servedPaths } from "./paths.js";
export { prepareSimulated } from "./simulated.js";
export { isStoredElsewhere, keep, unresolved, withStored } from "./stored.js";
