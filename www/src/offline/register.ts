/** Lets the page work without a network from the next visit on. */
export function keepForOffline(): void {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  navigator.serviceWorker.register("./service-worker.js").catch((error: unknown) => {
    // A host without https has no service workers; everything else works there.
    console.info("not kept for offline use:", error);
  });
}
