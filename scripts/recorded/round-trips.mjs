// A → canonical → A, as two conversions, so that no shortcut between equal dialects can help.

import { differences } from "./assert.mjs";
import { asRecorded, converter } from "./payloads.mjs";

export function checkRoundTrips(toolwire, payloads, results, paths) {
  for (const payload of payloads) {
    const { dialect, kind, file, text, body } = payload;
    const convert = converter(toolwire, kind);
    const shapes = {
      text: { input: text, value: JSON.parse },
      bytes: { input: new TextEncoder().encode(text), value: (bytes) => JSON.parse(new TextDecoder().decode(bytes)) },
      // A copy: what a conversion does to its input shows up in the comparison.
      object: { input: structuredClone(body), value: (object) => object },
    };
    for (const [shape, { input, value }] of Object.entries(shapes)) {
      results.check(`${file}, ${shape}: unchanged by way of the canonical form`, () => {
        const warnings = [];
        const onWarning = (warning) => warnings.push(warning);
        const canonical = convert(input, { ...asRecorded, from: dialect, to: "canonical", onWarning });
        if (shape === "text") paths.collect(payload, JSON.parse(canonical));
        const back = convert(canonical, { ...asRecorded, from: "canonical", to: dialect, onWarning });
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
