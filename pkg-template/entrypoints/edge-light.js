// Vercel's edge runtime compiles no bytes: with `?module` its bundler makes the import a module.

import { useModule } from "../runtime/instance.js";
import module from "./toolwire.wasm?module";

useModule(() => module);

export * from "./public.js";
