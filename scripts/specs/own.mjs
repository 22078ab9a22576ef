// A canonical value without what belongs to one provider: state that was put there to be written back as it is, whatever it is.

const providers = { openai: "openai", anthropic: "anthropic", gemini: "google" };

export function withoutOwn(canonical, dialect) {
  return without(canonical, providers[dialect]);
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
  // an event of a stream holds its block
  if (value.type === "block") return isNative(value.value, provider);
  return value.type === "native" && value.provider === provider;
}

function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
