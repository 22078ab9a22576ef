// Every official SDK through a gateway to every provider, in every scenario, whole and streamed. Checks what the SDK returns to
// its user, what the provider receives, that each of its requests begins with the one before, and the lossy warnings that the gateway gets. If the folder TOOLWIRE_DESCRIPTIONS has the
// providers' API descriptions, requests are checked against them, too.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { clients } from "./support/gateway/clients.mjs";
import { expectedError, expectedHistory, expectedLosses, expectedReceived } from "./support/gateway/expected.mjs";
import { brokenPrefixes } from "./support/gateway/prefix.mjs";
import { startProvider, upstreams } from "./support/gateway/provider.mjs";
import { playedBy, scenarios, spoken } from "./support/gateway/scenarios.mjs";
import { Table, whyNot } from "./support/gateway/table.mjs";
import { gatewayTo, stopGateways } from "./support/gateway-server.mjs";

const gateways = {};
const table = new Table(Object.keys(clients), Object.keys(upstreams), scenarios);
let provider;
let warnings;

before(async () => {
  provider = await startProvider(await described(process.env.TOOLWIRE_DESCRIPTIONS));
  for (const dialect of Object.keys(upstreams)) {
    gateways[dialect] = await toProvider(dialect);
  }
});

function toProvider(dialect) {
  const upstream = { dialect, baseUrl: `${provider.url}/${dialect}`, key: spoken.keyOfGateway };
  return gatewayTo(upstream, { hooks: { onWarning: (warning) => warnings.push(warning) } });
}

after(async () => {
  provider.close();
  await stopGateways();
  console.log(table.text());
});

for (const [name, client] of Object.entries(clients)) {
  for (const upstream of Object.keys(upstreams)) {
    for (const scenario of scenarios) {
      if (whyNot(scenario, name, upstream)) continue;
      test(`${name} → ${upstream}: ${scenario.name}`, { timeout: 20_000 }, async () => {
        for (const streams of [false, true]) {
          await check(client, upstream, playedBy(upstream, scenario), streams);
          table.held(name, upstream, scenario, streams);
        }
      });
    }
  }
}

async function check(client, upstream, scenario, streams) {
  provider.play(scenario);
  warnings = [];
  // after an error that asks to wait, the upstream rests
  const url = scenario.error ? await toProvider(upstream) : gateways[upstream];
  const { received, error } = await converse(client, { url, model: upstreams[upstream].model, streams }, scenario);
  assert.deepEqual(provider.complaints, []);

  const { requests } = provider;
  for (const { headers, model, tools } of requests) {
    const sent = JSON.stringify(headers);
    assert.ok(sent.includes(spoken.keyOfGateway) && !sent.includes(spoken.keyOfClient), sent);
    assert.equal(model ?? upstreams[upstream].model, upstreams[upstream].model);
    assert.deepEqual(tools, [spoken.tool]);
  }
  if (scenario.error) {
    const { message, ...rest } = error;
    assert.deepEqual(rest, expectedError(client, scenario.error));
    assert.ok(message.includes(scenario.error.message), message);
    return;
  }
  assert.equal(requests.length, scenario.answers.length);
  const wanted = scenario.answers.map((response) => expectedReceived(client, upstream, response, streams));
  const keepsIds = hasIds(scenario) && !client.traits.replacesIds;
  assert.deepEqual(received.map(withoutMadeIds(keepsIds)), wanted.map(withoutMadeIds(keepsIds)));
  const history = joinedTexts(requests.at(-1).history);
  assert.deepEqual(
    history.map(withoutMadeId(keepsIds)),
    expectedHistory(client, upstream, { ...scenario, streams }).map(withoutMadeId(keepsIds)),
  );
  const idsOf = (kind) => history.flatMap((item) => item[kind]?.id ?? []);
  if (client.traits.replacesIds) assert.deepEqual(idsOf("result"), idsOf("call"));
  assert.deepEqual(brokenPrefixes(requests.map(({ body }) => body)), []);
  const losses = new Set(warnings.filter(({ lossy }) => lossy).map(({ code }) => code));
  assert.deepEqual([...losses].sort(), expectedLosses(client, scenario));
}

/** The problems of a request by the API descriptions in a folder; none for dialects without a description. */
async function described(folder) {
  if (!folder) return undefined;
  const { descriptions, readDescriptions } = await import("../../scripts/specs/descriptions.mjs");
  const { deviations } = await import("../../scripts/specs/lists.mjs");
  const { makeValidator } = await import("../../scripts/specs/validators.mjs");
  const validate = makeValidator(readDescriptions(folder), deviations);
  return (dialect, body) => (Object.hasOwn(descriptions, dialect) ? validate(dialect, "request", body) : []);
}

/** Runs the conversation of a scenario: returns what the SDK gave for each response, or the error. */
async function converse({ open, errorOf }, setting, { results = [], error }) {
  const received = [];
  const left = [...results];
  const conversation = open(setting);
  try {
    received.push(await conversation.ask(spoken.question));
    while (received.at(-1).calls.length > 0) {
      const given = received.at(-1).calls.map(({ id, name }) => ({ id, name, ...left.shift() }));
      received.push(await conversation.sendResults(given));
    }
    return { received };
  } catch (thrown) {
    if (!error) throw thrown;
    return { received, error: errorOf(thrown) };
  }
}

/** Joins consecutive texts, and drops the text that announces media to the model. */
function joinedTexts(history) {
  const joined = [];
  for (const item of history) {
    const last = joined.at(-1);
    const piece = ["text", "reasoning"].find((key) => item[key] !== undefined && last?.[key] !== undefined);
    if (piece && !last.signature) Object.assign(last, item, { [piece]: last[piece] + item[piece] });
    else if (item.user === undefined || !joined.some(({ user }) => user)) joined.push({ ...item });
  }
  return joined;
}

/** If the provider gives no ids, the gateway or the SDK may have generated them. */
const hasIds = ({ answers }) => answers.every(({ blocks }) => blocks.every(({ type, id }) => type !== "call" || id));
const without = ({ id: _, ...rest }) => rest;
const withoutMadeIds = (keepsIds) => (received) =>
  keepsIds ? received : { ...received, calls: received.calls.map(without) };
const withoutMadeId = (keepsIds) => (item) => {
  if (keepsIds) return item;
  return {
    ...item,
    ...(item.call && { call: without(item.call) }),
    ...(item.result && { result: without(item.result) }),
  };
};
