// Waits for something, but not for ever.

export interface Patience {
  /** In milliseconds, after which `late` decides. */
  readonly ms?: number;
  readonly late?: () => unknown;
  /** Rejects at once when it aborts. */
  readonly signal?: AbortSignal;
}

/** What the promise resolves to or, if it takes too long, what `late` returns or throws. */
export async function patiently<T>(promise: Promise<T>, { ms, late, signal }: Patience): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let leave = () => {};
  const given = new Promise<T>((resolve, reject) => {
    if (ms !== undefined) timer = setTimeout(() => resolve(Promise.resolve().then(late) as Promise<T>), ms);
    leave = () => reject(signal?.reason);
    if (signal?.aborted) leave();
    signal?.addEventListener("abort", leave);
  });
  try {
    return await Promise.race([promise, given]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", leave);
  }
}

/** Rejects when the signal aborts. */
export const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
  patiently(new Promise<never>(() => {}), { ms, signal });
