// The limits of a sandboxed tool, passed to the function that starts its worker.

export interface Limits {
  readonly memoryLimitMb: number | undefined;
}

/** Keyed by the call context that `execute` receives. */
export const limitsOf = new WeakMap<object, Limits>();
