// Serves a folder of static files as any web server would: compressed, with types, under a path.

import { readFile, stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { gzipSync } from "node:zlib";

const types = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
};
const withCharset = /^text\//;

/** Calls `log` with `{ path, status, bytes }` for every response. Listens on the loopback interface only. */
export async function serveFolder(folder, { port = 0, base = "/", log = () => {} } = {}) {
  const compressed = new Map();
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    const file = await fileOf(folder, base, pathname);
    if (file === undefined) {
      response.writeHead(404, { "content-type": "text/plain" }).end("not found");
      log({ path: pathname, status: 404, bytes: 0 });
      return;
    }
    if (!compressed.has(file.key)) compressed.set(file.key, gzipSync(await readFile(file.path), { level: 9 }));
    const body = compressed.get(file.key);
    response.writeHead(200, headersOf(file.path, pathname, body)).end(request.method === "HEAD" ? undefined : body);
    log({ path: pathname, status: 200, bytes: body.length });
  });
  await new Promise((ready, failed) => server.once("error", failed).listen(port, "127.0.0.1", ready));
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${server.address().port}${base}`, close };
}

function headersOf(path, pathname, body) {
  const type = types[extname(path)] ?? "application/octet-stream";
  return {
    "content-type": withCharset.test(type) ? `${type}; charset=utf-8` : type,
    "content-encoding": "gzip",
    "content-length": body.length,
    // the names of assets contain a hash of their content
    "cache-control": pathname.includes("/assets/") ? "public, max-age=31536000, immutable" : "no-cache",
  };
}

async function fileOf(folder, base, pathname) {
  if (!pathname.startsWith(base)) return undefined;
  const name = decoded(pathname.slice(base.length));
  const whole = join(folder, normalize(`/${name}`));
  // /page is page.html, and a folder its index
  for (const path of name === "" || name.endsWith("/") ? [join(whole, "index.html")] : [whole, `${whole}.html`]) {
    const found = await stat(path).catch(() => undefined);
    if (found?.isFile()) return { path, key: `${path} ${found.mtimeMs}` };
  }
  return undefined;
}

function decoded(path) {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
