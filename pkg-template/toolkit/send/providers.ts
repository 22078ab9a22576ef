// The providers that `sendTo` knows.

import type { Dialect } from "toolwire";
import { dialects } from "../../../build/generated/facts.js";
import { type Provider, providerFor } from "../../http/providers.js";
import { ToolkitError } from "../errors.js";

/** @throws ToolkitError `invalid_options` for a dialect without a server. */
export function providerOf(dialect: Dialect): Provider {
  const provider = providerFor(dialect);
  if (provider) return provider;
  const known = (dialects as Dialect[]).filter(providerFor).join(", ");
  throw new ToolkitError(
    "invalid_options",
    `to: ${JSON.stringify(dialect)} can't be sent to; use one of: ${known}`,
    "/to",
  );
}
