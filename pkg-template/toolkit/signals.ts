// Listeners on abort signals. All runs that share a signal share one listener, since Node warns about more than ten.

interface Shared {
  readonly listeners: Set<() => void>;
  readonly dispatch: () => void;
}

const shared = new WeakMap<AbortSignal, Shared>();

/** Calls `listener` when the signal aborts, at once if it has, unless the returned function is called first. */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  if (signal.aborted) {
    listener();
    return () => {};
  }
  // a function of its own, because the same function may be passed twice
  const entry = () => listener();
  const { listeners, dispatch } = shared.get(signal) ?? shareOf(signal);
  listeners.add(entry);
  return () => {
    listeners.delete(entry);
    if (listeners.size > 0) return;
    signal.removeEventListener("abort", dispatch);
    shared.delete(signal);
  };
}

function shareOf(signal: AbortSignal): Shared {
  const listeners = new Set<() => void>();
  const dispatch = () => {
    for (const listener of [...listeners]) listener();
  };
  const made = { listeners, dispatch };
  shared.set(signal, made);
  signal.addEventListener("abort", dispatch, { once: true });
  return made;
}
