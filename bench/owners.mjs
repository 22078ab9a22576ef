// Attributes functions to crates and modules, by their names.

/** The entry of each backend is not generic, but contains inlined generic functions. */
const backends = [
  ["text backend", (name) => /\bvalue::text\b|\bconvert::convert_text\b/.test(name)],
  ["js backend", (name) => /\bvalue::js\b|\bcall::by_reference\b/.test(name)],
  ["shared (not generic)", (name) => /\btoolwire\b/.test(name)],
  ["libraries", () => true],
];

const backendOf = (name) => backends.find(([, owns]) => owns(name))[0];

/** The number of module levels that are listed separately, for crates with more than one. */
const depths = { toolwire: 1, core: 1, alloc: 1 };
const divided = ["dialect", "text", "toolkit"];
/** Functions without a path: exports, with what is inlined into them, and those of C and of the compiler. */
export const plain = "exports and intrinsics";
const primitives = /^(?:[iuf]\d+|[iu]size|bool|char|str|mut|dyn|as|const)$/;

/**
 * The crate of a function; for some crates also the module, and for this one the dialect or part. Names are paths: `<crate::module::Type as
 * Trait>::method`.
 */
export function moduleOf(name) {
  const path = readable(name).match(/[a-z_]\w*(?:::[a-z_]\w*)*/i)?.[0];
  if (path === undefined) return "without a name";
  const [crate, ...modules] = path.split("::");
  if (primitives.test(crate)) return "core";
  if (!name.includes("::") && !name.includes("[")) return plain;
  const depth = crate === "toolwire" && divided.includes(modules[0]) ? 2 : (depths[crate] ?? 0);
  return [crate, ...modules.slice(0, depth)].join("::");
}

/** Whether a module is the dialect of a provider, and not shared by dialects or one of the package's own formats. */
export const isProvider = (module) =>
  /^toolwire::dialect::(?:openai|openai_responses|anthropic|gemini|ollama)$/.test(module);

/** Whether a function reads options or creates contexts, warnings and errors: small values, which serde converts. */
export const isForSmallValues = (name) =>
  /\b(?:serde_wasm_bindgen|serde_core|tsify|js_sys|hashbrown)\b|\bbindings::(?:small|options|error|warnings)\b|\brun::(?:settings|nearest|texts|options)\b/.test(
    readable(name),
  );

/** Sizes and counts by backend, and by crate or module. */
export function ownersOf(functions) {
  return { "code by backend": sums(functions, backendOf), "code by crate and module": sums(functions, moduleOf) };
}

function sums(functions, ownerOf) {
  const owners = new Map();
  for (const { name, size } of functions) {
    const owner = ownerOf(name);
    const sum = owners.get(owner) ?? { size: 0, count: 0 };
    owners.set(owner, { size: sum.size + size, count: sum.count + 1 });
  }
  return owners;
}

/** Without the hashes of crates. */
export function readable(name) {
  return name.replace(/\[[0-9a-f]{8,}\]/g, "").slice(0, 120);
}
