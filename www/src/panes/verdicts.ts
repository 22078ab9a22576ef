// The verdicts of round trips, in words.

import type { Verdict } from "../engine/protocol.ts";

export const verdicts: Record<Verdict, { title: string; short: string; clean: boolean }> = {
  identical: { title: "It came back the same, byte for byte", short: "same", clean: true },
  order: { title: "It came back as the same JSON, with keys in another order", short: "same", clean: true },
  response: { title: "It came back as the same response, in other events", short: "same", clean: true },
  different: { title: "It came back changed", short: "changed", clean: false },
  failed: { title: "It did not come back", short: "failed", clean: false },
};
