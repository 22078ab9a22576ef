/** The module, where a bundler or runtime compiles `.wasm` imports; `toolwire/slim` takes it. */
declare const module: WebAssembly.Module;
export default module;
