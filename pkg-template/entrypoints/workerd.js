// Cloudflare's runtime compiles no bytes: its bundler makes the import a module, compiled at upload.

import module from "module:file";
import { useModule } from "module:runtime";

useModule(() => module);

export * from "module:exports";
