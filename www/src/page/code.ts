// Generates TypeScript code for the conversion that the page shows.

import type { Dialect } from "toolwire";
import type { Kind, Settings } from "../engine/protocol.ts";

interface Shown {
  kind: Kind;
  from: Dialect;
  to: Dialect;
  settings: Settings;
  /** Whether the stream is shown event by event. */
  reading?: boolean;
}

const functions = { request: "convertRequest", response: "convertResponse", error: "convertError" } as const;

const listener = "const onWarning = (warning: Warning) => console.warn(warning.code, warning.path);";

export function codeOf({ kind, from, to, settings, reading = false }: Shown): string {
  const options = Object.entries(settings).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  const formats = `from: ${JSON.stringify(from)}, to: ${JSON.stringify(to)}`;
  const conversion = `{ ${[formats, ...options].join(", ")}, onWarning }`;
  switch (kind) {
    case "request":
    case "response":
    case "error":
      return `import { ${functions[kind]}, type Warning } from "toolwire";

declare const source: string; // or bytes, or an object: the same comes out
${listener}
const result = ${functions[kind]}(source, ${conversion});`;
    case "tools":
      return `import { convertRequest, type Warning } from "toolwire";

declare const request: { tools: object[] }; // the request that the tools are part of
${listener}
const { tools } = convertRequest(request, ${conversion});`;
    case "result":
      return `import { convertRequest, type Warning } from "toolwire";

declare const conversation: object; // with the call, and its result after it
${listener}
const request = convertRequest(conversation, ${conversion});`;
    case "stream":
      return reading ? readingCode([`from: ${JSON.stringify(from)}`, ...options].join(", ")) : streamCode(conversion);
  }
}

function streamCode(conversion: string): string {
  return `import { convertStream, type Warning } from "toolwire";

declare const upstream: Response;
${listener}
const { readable, writable } = convertStream(${conversion}).transform();
upstream.body?.pipeTo(writable); // give \`readable\` to your client`;
}

function readingCode(options: string): string {
  return `import { streamEvents } from "toolwire";

declare const upstream: Response;
for await (const event of streamEvents(upstream.body!, { ${options} })) {
  if (event.type === "toolCallEnd") console.log(event.call);
}`;
}
