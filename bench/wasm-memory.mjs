// Gives access to the memory of the package's wasm. Must be imported before the package, which keeps its instance private.

let memory;
const Instance = WebAssembly.Instance;
WebAssembly.Instance = class extends Instance {
  constructor(...args) {
    super(...args);
    memory = this.exports.memory;
  }
};

export const wasmBytes = () => memory.buffer.byteLength;
