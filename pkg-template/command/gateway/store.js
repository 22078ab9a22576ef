// Keeps responses in memory, so that clients can refer to them.

/** In bytes. */
const MOST = 256 * 2 ** 20;

/** The oldest are forgotten first. */
export function memoryStore(most = MOST) {
  const kept = new Map();
  let size = 0;
  const forget = (id) => {
    size -= kept.get(id)?.length ?? 0;
    kept.delete(id);
  };
  return {
    async get(id) {
      return kept.get(id);
    },
    async put(id, value) {
      forget(id);
      kept.set(id, value);
      size += value.length;
      while (size > most) forget(kept.keys().next().value);
    },
  };
}
