// Converts whole streams. AWS's binary messages are shown as lines of JSON, as logs have them.

import { type Conversion, convertStream, type Dialect } from "toolwire";
import { textOfMessages } from "../../../pkg-template/http/binary-messages.ts";

const decoder = new TextDecoder();

/** The converter passes its warnings to `onWarning`; `warnings` has the same ones. */
export function convertWholeStream(text: string, conversion: Conversion): string {
  const converter = convertStream(conversion);
  const converted = [converter.push(new TextEncoder().encode(text)), converter.finish()];
  converter.free();
  return converted.map(shownIn(conversion.to)).join("");
}

/** What is shown of the next piece of a stream in this format. Pieces end with events. */
export function shownIn(to: Dialect): (bytes: Uint8Array) => string {
  return to === "bedrock" ? textOfMessages : (bytes) => decoder.decode(bytes);
}
