// Vercel's edge runtime compiles no bytes: with `?module` its bundler makes the import a module.

import module from "./toolwire.wasm?module";
import { useModule } from "../runtime/instance.js";

useModule(() => module);

export * from "./public.js";
