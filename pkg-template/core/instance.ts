// The current instance of a wasm module. It is created by the first call, and replaced by the first call after a trap.

type CreateGlue<Exported> = (registry: typeof FinalizationRegistry | undefined) => {
  imports: WebAssembly.Imports;
  exported: Exported;
  setWasm(exports: WebAssembly.Exports): void;
};

/** An error of the wasm: a plain object. */
export interface Thrown {
  code?: string;
  path?: string;
  message: string;
}

export class Core<Exported> {
  readonly #createGlue: CreateGlue<Exported>;
  readonly #errorOf: (thrown: Thrown) => Error;
  #loadModule: () => WebAssembly.Module = () => {
    throw new Error("no entry point has been loaded");
  };
  #module: WebAssembly.Module | undefined;
  #live: Exported | undefined;

  constructor(createGlue: CreateGlue<Exported>, errorOf: (thrown: Thrown) => Error) {
    this.#createGlue = createGlue;
    this.#errorOf = errorOf;
  }

  /** Sets the function that loads the WebAssembly.Module. Each entry point calls it. */
  useModule(load: () => WebAssembly.Module): void {
    this.#loadModule = load;
    this.#module = undefined;
    this.#live = undefined;
  }

  /**
   * Calls the instance, and converts plain objects that it throws to errors. After any other error, the state of the instance is
   * unknown, so it is dropped. That happens here, because after a stack overflow no further call may succeed.
   */
  call<Value>(call: (exported: Exported) => Value): Value {
    try {
      this.#live ??= this.#start();
      return call(this.#live);
    } catch (error) {
      if (error instanceof Error) this.#live = undefined;
      throw this.#failureOf(error);
    }
  }

  #start(): Exported {
    this.#module ??= this.#loadModule();
    const started = { exported: undefined as Exported | undefined };
    const isAlive = () => this.#live === started.exported;
    const { imports, exported, setWasm } = this.#createGlue(registryOfLiving(isAlive));
    const { exports } = new WebAssembly.Instance(this.#module, imports);
    setWasm(exports);
    (exports.__wbindgen_start as () => void)();
    started.exported = exported;
    return exported;
  }

  #failureOf(error: unknown): unknown {
    if (error instanceof WebAssembly.RuntimeError || isStackOverflow(error)) {
      const message = `internal failure, please report it: ${(error as Error).message}`;
      const failure = this.#errorOf({ code: "internal", message });
      failure.cause = error;
      return failure;
    }
    return error instanceof Error ? error : this.#errorOf(error as Thrown);
  }
}

/** A registry that frees objects that were garbage collected, unless their instance has trapped. */
function registryOfLiving(isAlive: () => boolean): typeof FinalizationRegistry | undefined {
  if (typeof FinalizationRegistry === "undefined") return undefined;
  return class<T> extends FinalizationRegistry<T> {
    constructor(free: (held: T) => void) {
      super((held) => {
        if (isAlive()) free(held);
      });
    }
  };
}

/** A stack overflow is a RangeError, or in Firefox an InternalError. */
function isStackOverflow(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return /^(Range|Internal)Error$/.test(error.name) && /call stack|too much recursion/.test(error.message);
}
