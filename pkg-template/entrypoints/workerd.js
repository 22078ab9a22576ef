// Cloudflare's runtime compiles no bytes: its bundler makes the import a module, compiled at upload.

import { useModule } from "../runtime/instance.js";
import module from "./toolwire.wasm";

useModule(() => module);

export * from "./public.js";
