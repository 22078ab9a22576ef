/** Makes the page work offline from the next visit on. */
export function keepForOffline(): void {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  navigator.serviceWorker.register("./service-worker.js").catch((error: unknown) => {
    // without HTTPS, there are no service workers, but everything else works
    console.info("not kept for offline use:", error);
  });
}
