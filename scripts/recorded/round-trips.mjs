// Converts A → canonical → A in two steps, so that the shortcut for equal dialects is not used.

import { differences } from "./assert.mjs";
import { asRecorded, converter } from "./payloads.mjs";

export function checkRoundTrips(toolwire, payloads, results, paths) {
  for (const payload of payloads) {
    const { dialect, kind, file, text, body } = payload;
    const convert = converter(toolwire, kind);
    const shapes = {
      text: { input: text, value: JSON.parse },
      bytes: { input: new TextEncoder().encode(text), value: (bytes) => JSON.parse(new TextDecoder().decode(bytes)) },
      // a copy, to detect conversions that modify their input
      object: { input: structuredClone(body), value: (object) => object },
    };
    for (const [shape, { input, value }] of Object.entries(shapes)) {
      results.check(`${file}, ${shape}: unchanged by way of the canonical form`, () => {
        const warnings = [];
        const onWarning = (warning) => warnings.push(warning);
        const canonical = convert(input, {
          ...asRecorded,
          bookkeeping: true,
          from: dialect,
          to: "canonical",
          onWarning,
        });
        if (shape === "text") paths.collect(payload, JSON.parse(canonical));
        const back = convert(canonical, {
          ...asRecorded,
          bookkeeping: true,
          from: "canonical",
          to: dialect,
          onWarning,
        });
        return (
          differences(body, value(back)) ??
          (shape === "object" ? differences(body, input) : undefined) ??
          (warnings.length > 0
            ? `warned: ${warnings.map(({ code, path }) => `${code} ${path}`).join(", ")}`
            : undefined)
        );
      });
    }
  }
}
