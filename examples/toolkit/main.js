// Five tools, and a turn with seven calls. `node main.js` prints what happens to each call and what the model sees of it.

import { Toolkit } from "toolwire/toolkit";
import { calculator } from "./tools/calculator.js";
import { notesTool } from "./tools/notes.js";
import { primes } from "./tools/primes.js";
import { units } from "./tools/units.js";
import { connectWeather } from "./tools/weather.js";
import { calls } from "./turn.js";

const notes = new Map([["taxes", "due in May"]]);
const { weather, disconnect } = await connectWeather();
const toolkit = new Toolkit([calculator, units, primes, notesTool(notes), weather]);

const executions = await toolkit.run(calls, {
  filter: { excludeDangerous: false },
  approve: (call) => ({ allow: false, reason: `the note ${call.arguments.title} is still needed` }),
});
await disconnect();

for (const { call, status, changes, error, result } of executions) {
  console.log(`${call.id} ${call.name}: ${status === "failed" ? error.type : status}`);
  for (const { kind, path, from, to } of changes) {
    console.log(`  ${kind} ${path || "the call"}: ${JSON.stringify(from)} → ${JSON.stringify(to)}`);
  }
  console.log(`  the model sees: ${JSON.stringify(result.value)}`);
}
console.log(`notes left: ${[...notes.keys()].join(", ")}`);
