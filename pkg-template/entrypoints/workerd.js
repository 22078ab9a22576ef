// Cloudflare's runtime compiles no bytes: its bundler makes the import a module, compiled at upload.

import module from "./toolwire.wasm";
import { useModule } from "../runtime/instance.js";

useModule(() => module);

export * from "./public.js";
