// `toolwire/gateway`: any client on any model.

export { gatewayFetch } from "./fetch.js";
export { createGateway } from "./gateway.js";
export type {
  Gateway,
  GatewayClient,
  GatewayConfig,
  GatewayEvent,
  GatewayHooks,
  GatewayLimits,
  ResponseStore,
  Route,
  RouteCondition,
  Upstream,
  UpstreamLimits,
} from "./types.js";
