// The Next.js recipe as a route that Next.js built and serves, with a scripted provider on loopback.

import { startProvider } from "../../toolkit/support/provider.mjs";

const call = { type: "call", id: "call_1", name: "get_weather", pieces: ['{"city":"Paris"}'] };
const text = { type: "text", pieces: ["It is ", "22 °C."] };

/** What a client receives from the route, and what the provider was sent. */
export async function recipeOutcome(project, { serve, path }) {
  const provider = await startProvider();
  provider.play({ blocks: [call], finish: "tool_calls" }, { blocks: [text], finish: "stop" });
  const env = { OPENAI_API_KEY: "the-key", PROVIDER: `${provider.url}/openai-responses` };
  try {
    const server = await project.serve(serve, env);
    try {
      const body = JSON.stringify({ text: "Weather?" });
      const headers = { "content-type": "application/json" };
      const response = await fetch(`${server.url}/${path}`, { method: "POST", headers, body });
      const { status } = response;
      const received = await response.text();
      if (!response.ok) throw new Error(`status ${status}: ${received.slice(0, 500)}\n${server.output()}`);
      const requests = provider.received.map(({ url, headers: { authorization }, body: { input } }) => [
        url,
        authorization,
        input.at(-1).output ?? null,
      ]);
      return { text: received, type: response.headers.get("content-type"), requests };
    } finally {
      await server.stop();
    }
  } finally {
    provider.close();
  }
}
