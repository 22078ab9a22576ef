// The function type with which an agent sends its requests.

import type { ChatRequest, ChatResponse, StreamEvent } from "toolwire";

/**
 * Sends a request to a model. A generator must return the whole response, as the generator of `streamEvents` does.
 * Throw an `Error` with the fields of a `ChatError` (`code`, `message`, `retryable`, `status`) if the request fails.
 */
export interface Send {
  (
    request: ChatRequest,
    options: { signal: AbortSignal; iteration: number },
  ):
    | ChatResponse
    | Promise<ChatResponse>
    | AsyncGenerator<StreamEvent, ChatResponse, undefined>
    | Promise<AsyncGenerator<StreamEvent, ChatResponse, undefined>>;
  /** Whether a call of one tool can be forced. `strategy: "twoStage"` then reads the arguments from such a call. */
  readonly forcesCalls?: boolean;
}
