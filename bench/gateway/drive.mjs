// Clients that send requests one after the other.

import { Agent, request as httpRequest } from "node:http";

/** The body of a conversation of about so many bytes. */
export function bodyOf(size, stream, isAnthropic) {
  const turns = [];
  for (let left = size; left > 0; left -= 500) {
    turns.push({
      role: turns.length % 2 === 0 ? "user" : "assistant",
      content: "text ".repeat(Math.ceil(Math.min(left, 450) / 5)),
    });
  }
  if (turns.length % 2 === 0) turns.pop();
  return JSON.stringify({ model: "m", ...(isAnthropic && { max_tokens: 100 }), stream, messages: turns });
}

/** Sends requests with so many clients for so long. Returns requests per second, and latencies in milliseconds. */
export async function drive({ url, headers = {} }, body, clients, seconds) {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const times = [];
  const begin = performance.now();
  const until = begin + seconds * 1000;
  const sent = { "content-type": "application/json", "content-length": body.length, ...headers };
  const once = () =>
    new Promise((resolve, reject) => {
      const start = performance.now();
      const request = httpRequest(url, { method: "POST", agent, headers: sent }, (response) => {
        response.on("data", () => {});
        response.on("end", () => {
          if (response.statusCode !== 200) return reject(new Error(`${url}: status ${response.statusCode}`));
          times.push(performance.now() - start);
          resolve();
        });
        response.on("error", reject);
      });
      request.on("error", reject);
      request.end(body);
    });
  const client = async () => {
    while (performance.now() < until) await once();
  };
  await Promise.all(Array.from({ length: clients }, client));
  // the requests that run at the end take longer than the time
  const elapsed = (performance.now() - begin) / 1000;
  agent.destroy();
  times.sort((a, b) => a - b);
  const at = (share) => times[Math.floor(times.length * share)];
  return { count: times.length, rps: Math.round(times.length / elapsed), median: at(0.5), p99: at(0.99) };
}
