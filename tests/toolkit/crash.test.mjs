// Runs whose process is killed (SIGKILL) at every point where something takes effect or is stored. The run is resumed in a new process. A call
// that is not idempotent runs once; others may run again, with the same key.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { isComplete } from "./support/model.mjs";

const program = fileURLToPath(new URL("support/crash/program.mjs", import.meta.url));

function start(folder, scenario, point) {
  const given = [program, folder, scenario, ...(point ? [String(point)] : [])];
  const { stdout, stderr, signal, status } = spawnSync(process.execPath, given, { encoding: "utf8", timeout: 60_000 });
  assert.ok(signal === "SIGKILL" || status === 0, stderr);
  return signal ? undefined : JSON.parse(stdout);
}

function effectsIn(folder) {
  const file = join(folder, "effects");
  return existsSync(file)
    ? readFileSync(file, "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line))
    : [];
}

/** A run that is killed at a point and resumed. What a person must decide about a payment that started is decided by whether it was made. */
function killedAt(scenario, point) {
  const folder = mkdtempSync(join(tmpdir(), "crash-"));
  try {
    const whole = start(folder, scenario, point);
    if (whole) return { whole, effects: effectsIn(folder) };
    let outcome = start(folder, scenario);
    let asked = 0;
    if (outcome.reason === "unapproved") {
      asked = outcome.pending.length;
      const isPaid = effectsIn(folder).some(({ name }) => name === "pay");
      writeFileSync(join(folder, "decisions"), JSON.stringify({ [outcome.pending[0].id]: !isPaid }));
      outcome = start(folder, scenario);
    }
    return { outcome, asked, effects: effectsIn(folder) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

for (const scenario of ["plain", "eager", "sub-agent", "sub-agent of a sub-agent"]) {
  test(`${scenario}: killed at every point`, { timeout: 300_000 }, () => {
    const keysOf = (effects) => new Set(effects.map(({ name, n, key }) => `${name} ${n} ${key.replace(/^[^:]*/, "")}`));
    let asked = 0;
    let point = 1;
    for (; ; point++) {
      const { whole, outcome, effects, ...more } = killedAt(scenario, point);
      const payments = effects.filter(({ name }) => name === "pay");
      assert.equal(payments.length, 1, `killed at ${point}: ${JSON.stringify(effects)}`);
      assert.equal((whole ?? outcome).reason, "answer", `killed at ${point}`);
      assert.ok(isComplete((whole ?? outcome).messages), `killed at ${point}`);
      if (whole) break;
      asked += more.asked;
      // in the same turn, a repeated call has the same key
      for (const { name, n } of effects) {
        const same = effects.filter((each) => each.name === name && each.n === n);
        if (scenario === "plain" || scenario === "sub-agent") assert.equal(keysOf(same).size, 1, `killed at ${point}`);
      }
    }
    assert.ok(point > 12, `${point} points`);
    assert.ok(asked > 0, "a payment that started and did not end needs a decision");
  });
}
