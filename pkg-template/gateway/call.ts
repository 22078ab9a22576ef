// One request of a client, as all steps see it.

import type { Dialect } from "toolwire";
import type { Endpoint } from "./endpoints.js";
import type { Observer } from "./observer.js";

export interface Call {
  readonly requestId: string;
  readonly endpoint: Endpoint;
  /** The client's format. */
  readonly dialect: Dialect;
  readonly body: Uint8Array;
  /** The body as JSON; undefined if it is none. */
  readonly json: () => any;
  /** The model that the client names. */
  readonly model: string | undefined;
  /** Whether the client wants a stream. */
  readonly stream: boolean;
  /** The name of the client. */
  readonly client: string | undefined;
  /** The key that the client presented. */
  readonly presented: string | undefined;
  /** The client's headers. */
  readonly headers: Pick<Headers, "get">;
  readonly signal: AbortSignal;
  readonly observer: Observer;
  /** Warnings about the request. */
  readonly warnings: string[];
}
