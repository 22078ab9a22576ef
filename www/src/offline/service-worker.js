// Caches the whole page, so that it works offline after the first visit. The build inserts `facts` before this code.

const cacheName = `toolwire-${facts.version}`;

self.addEventListener("install", (event) => {
  const pages = facts.files.map((file) => (file === "index.html" ? "./" : file));
  event.waitUntil(caches.open(cacheName).then((cache) => cache.addAll(pages)));
  self.skipWaiting();
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => names.filter((name) => name.startsWith("toolwire-") && name !== cacheName))
      .then((old) => Promise.all(old.map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});

self.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET" || !event.request.url.startsWith(self.registration.scope)) return;
  const page = event.request.mode === "navigate" ? "./" : event.request;
  event.respondWith(
    caches
      .open(cacheName)
      .then((cache) => cache.match(page, { ignoreSearch: true }))
      .then((kept) => kept ?? fetch(event.request)),
  );
});
