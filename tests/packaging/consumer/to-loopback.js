// Replaces the host that the recipe names by a scripted server on loopback, in the runtime of the route that imports this.

const { fetch } = globalThis;
globalThis.fetch = (url, init) => fetch(String(url).replace("https://api.openai.com", process.env.PROVIDER), init);
