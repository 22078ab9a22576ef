// Vercel's edge runtime can't compile bytes. Its bundler turns an import with `?module` into a WebAssembly.Module.

import module from "module:file?module";
import { useModule } from "module:runtime";

useModule(() => module);

export * from "module:exports";
