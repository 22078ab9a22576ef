// Cloudflare's runtime can't compile bytes. Its bundler turns the import into a WebAssembly.Module, which is compiled at upload.

import module from "module:file";
import { useModule } from "module:runtime";

useModule(() => module);

export * from "module:exports";
