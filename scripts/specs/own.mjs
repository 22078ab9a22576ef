// A provider's own state in canonical values, which conversions write back unchanged, whether it is valid or not.

import { providerOf } from "../recorded/payloads.mjs";
import { placeOf } from "./explain.mjs";

/** Whether two dialects have the same provider, so that its state has the same meaning in both. */
export function isOfProvider(from, to) {
  return providerOf[from] === providerOf[to];
}

/** Whether the input has each of the complaints too, at the same path. The path may be valid in only one of the formats. */
export function areOf(complaints, inputs) {
  const known = new Set(inputs.map(({ path, rule }) => `${placeOf(path)} ${rule}`));
  return complaints.every(({ path, rule }) => known.has(`${placeOf(path)} ${rule}`));
}

/** A canonical value without the state of a dialect's provider. */
export function withoutOwn(canonical, dialect) {
  return without(canonical, providerOf[dialect]);
}

function without(value, provider) {
  if (Array.isArray(value))
    return value.filter((item) => !isNative(item, provider)).map((item) => without(item, provider));
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([key, field]) => !(key === "toolChoice" && field?.provider === provider));
  return Object.fromEntries(
    kept.map(([key, field]) => {
      if (key !== "metadata" || !isObject(field)) return [key, without(field, provider)];
      const { [provider]: _, ...others } = field;
      return [key, others];
    }),
  );
}

function isNative(value, provider) {
  if (!isObject(value)) return false;
  // a stream event contains its block
  if (value.type === "block") return isNative(value.value, provider);
  return value.type === "native" && value.provider === provider;
}

function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
