// How long code runs.

/** Milliseconds that the processor has worked for this process. Other processes don't add to it, as they do to the time that passes. */
export function worked() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
