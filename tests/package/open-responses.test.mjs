// What clients of Open Responses receive from the gateway, by the specification's schema, whole and streamed, with an upstream of every other
// format. `npm run check:compliance` runs the specification's own suite.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { conversations, questions } from "./support/gateway/open-responses.mjs";
import { checkEvents, checkResponse } from "./support/gateway/open-responses-rules.mjs";
import { startProvider, upstreams } from "./support/gateway/provider.mjs";
import { gatewayTo, post, stopGateways } from "./support/gateway-server.mjs";

let provider;
before(async () => {
  provider = await startProvider();
});
after(async () => {
  provider.close();
  await stopGateways();
});

const eventsOf = (text) =>
  text
    .split("\n\n")
    .filter((frame) => frame !== "" && !frame.endsWith("[DONE]"))
    .map((frame) => {
      const [, event, data] = /^event: (.*)\ndata: (.*)$/.exec(frame);
      return { event, data: JSON.parse(data) };
    });

function collect() {
  const problems = [];
  return { problems, complain: (path, what) => problems.push(`${path} ${what}`) };
}

const others = Object.keys(upstreams).filter((name) => name !== "openai-responses");
for (const dialect of others) {
  for (const [name, scenario] of Object.entries(conversations)) {
    test(`Open Responses → ${dialect}, ${name}`, async () => {
      const url = await gatewayTo({ dialect, baseUrl: `${provider.url}/${dialect}`, key: "the-key" });
      for (const { type, ...question } of questions) {
        provider.play(scenario(dialect));
        const body = { model: upstreams[dialect].model, ...question };
        const { problems, complain } = collect();

        const whole = await (await post(`${url}/v1/responses`, body)).json();
        checkResponse(whole, "", complain);
        assert.equal(whole.status, "completed");
        assert.ok(
          whole.output.some((item) => item.type === type),
          JSON.stringify(whole.output),
        );

        const streamed = await post(`${url}/v1/responses`, { ...body, stream: true });
        const events = eventsOf(await streamed.text());
        checkEvents(events, complain);
        assert.deepEqual(problems, []);
        assert.deepEqual(
          events.at(-1).data.response.output.map((item) => item.type),
          whole.output.map((item) => item.type),
        );
      }
    });
  }
}

test("the rules find what is missing, unknown or out of order", () => {
  const { problems, complain } = collect();
  checkResponse({ object: "response" }, "", complain);
  checkEvents(
    [
      {
        event: "response.output_text.delta",
        data: { type: "response.output_text.delta", sequence_number: 4, delta: 1 },
      },
      { event: "odd", data: { type: "odd", sequence_number: 1 } },
    ],
    complain,
  );
  const found = problems.join("\n");
  for (const part of ["lacks id", "lacks service_tier", "/0/data lacks item_id", "/0/data/delta is no text", "/1/data"])
    assert.ok(found.includes(part), `${part}: ${found}`);
  assert.match(found, /\/0\/data\/sequence_number is not 0/);
});
