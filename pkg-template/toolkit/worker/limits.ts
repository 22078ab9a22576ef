// The limits of a sandboxed tool, for the function that starts its worker.

export interface Limits {
  readonly memoryLimitMb: number | undefined;
}

/** By the call context that `execute` receives. */
export const limitsOf = new WeakMap<object, Limits>();
