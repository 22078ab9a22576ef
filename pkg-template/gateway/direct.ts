// What `serve` and a gateway pass to each other in place of `Request` and `Response`, whose streams cost Node more than the conversion.

/** What a gateway uses of a request. */
export type ClientRequest = Pick<Request, "method" | "url" | "signal" | "body"> & {
  readonly headers: Pick<Headers, "get" | "has"> & Iterable<[string, string]>;
  /** The first bytes of the body, where they can be had without a stream. */
  readonly read?: (most: number) => Promise<FirstBytes>;
};

export interface FirstBytes {
  readonly bytes: Uint8Array;
  /** Whether there are more. */
  readonly isCut: boolean;
}

/** What a stream is made of. A sink is a part of its controller. */
export interface Source {
  start(sink: Sink): void;
  pull(sink: Sink): Promise<void>;
  cancel(reason?: unknown): void;
}

export interface Sink {
  enqueue(piece: Uint8Array): void;
  close(): void;
}

/** A response with status 200 that is not yet one of the platform. */
export class Reply {
  readonly status = 200;
  readonly headers: Headers;
  readonly body: Uint8Array<ArrayBuffer> | Source;

  constructor(body: Uint8Array<ArrayBuffer> | Source, headers: Headers) {
    this.body = body;
    this.headers = headers;
  }

  toResponse(): Response {
    const { body, headers } = this;
    const given = body instanceof Uint8Array ? body : new ReadableStream(body, { highWaterMark: 0 });
    return new Response(given as BodyInit, { headers });
  }
}

export type Served = Response | Reply;

/** The property of a gateway with the function that takes a `ClientRequest`. The entry points are bundles of their own. */
export const direct: unique symbol = Symbol.for("toolwire.gateway.direct") as never;

/** A gateway of `createGateway`. */
export interface DirectGateway {
  readonly [direct]?: (request: ClientRequest) => Promise<Served>;
}
