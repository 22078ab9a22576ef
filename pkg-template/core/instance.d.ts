/** An error of the wasm: a plain object. */
export interface Thrown {
  code?: string;
  path?: string;
  message: string;
}

interface Glue<Exported> {
  imports: WebAssembly.Imports;
  exported: Exported;
  setWasm(exports: WebAssembly.Exports): void;
}

export function coreOf<Exported>(
  createGlue: (registry: typeof FinalizationRegistry | undefined) => Glue<Exported>,
  errorOf: (thrown: Thrown) => Error,
): {
  useModule(load: () => WebAssembly.Module): void;
  call<Value>(call: (exported: Exported) => Value): Value;
};
