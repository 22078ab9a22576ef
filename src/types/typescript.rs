//! The declarations that have no Rust type: functions among the fields, a class, a generic alias.

use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const DECLARATIONS: &str = r#"
/** A {@link ChatRequest} as a caller may pass it: with results whose `value` is checked at run time. */
export type ChatRequestInput = ChatRequest<MessageInput>;

/** A `Uint8Array` with a buffer of its own, which `fetch` accepts as a body. Before TypeScript 5.7, simply `Uint8Array`. */
export type Bytes = ReturnType<Uint8ArrayConstructor["of"]>;

/** What converting a response requires from its request. Small, deterministic, plain JSON: safe to store in between. */
export interface ConversionContext {
    readonly [key: string]: unknown;
}
/** @deprecated Former name of {@link ConversionContext}. */
export type Context = ConversionContext;

export interface Options {
    /** Called once per warning, in order, after the conversion; what it throws propagates. */
    onWarning?(warning: Warning): void;
}

/** From which dialect to which, and how. */
export interface Conversion extends Options {
    /** The format of the input. */
    from: Dialect;
    /** The format of the output. */
    to: Dialect;
}

/** The one error that this package throws. */
export class ToolwireError extends Error {
    constructor(code: string, message: string, path: string, dialect?: Dialect);
    /** From a closed list: {@link ErrorCode}. */
    readonly code: ErrorCode | (string & {});
    /** JSON Pointer (RFC 6901) to what is wrong in the input; `""` is the whole of it. */
    readonly path: string;
    /** The wire format that was read or written. */
    readonly dialect?: Dialect;
    /** In a stream: where the event starts, in bytes from the start. */
    readonly offset?: number;
    /** In a stream: how many events came before it. */
    readonly event?: number;
}
"#;
