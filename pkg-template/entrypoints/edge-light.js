// Vercel's edge runtime compiles no bytes: with `?module` its bundler makes the import a module.

import module from "module:file?module";
import { useModule } from "module:runtime";

useModule(() => module);

export * from "module:exports";
