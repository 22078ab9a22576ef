// The result that the page shows last, for those who pass it on.

import type { Identity, Outcome } from "../engine/protocol.ts";

interface Shown {
  identity: Identity;
  outcome: Outcome;
}

let shown: Shown | undefined;

export const shownResult = (): Shown | undefined => shown;

export function noteResult(result: Shown | undefined): void {
  shown = result;
}
