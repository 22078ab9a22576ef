/** The compiled module, for bundlers and runtimes that compile imports of `.wasm` files. Pass it to `useModule` of `toolwire/slim`. */
declare const module: WebAssembly.Module;
export default module;
