// Counts bodies, and prints an entry for each problem, with the inputs that cause it.

import { placeOf } from "./explain.mjs";

const shown = 4;

export class Report {
  counts = { passed: 0, failed: 0, refused: 0, own: 0 };
  valid = [];
  problems = new Map();
  usedExceptions = new Set();

  constructor(exceptions) {
    this.exceptions = exceptions;
  }

  passed(dialect, kind, body) {
    this.counts.passed += 1;
    this.valid.push({ dialect, kind, body });
  }

  refused() {
    this.counts.refused += 1;
  }

  /** `rest` is the body without the provider's own state. */
  ownState(dialect, kind, rest) {
    this.counts.own += 1;
    this.valid.push({ dialect, kind, body: rest });
  }

  failed({ name, from, kind }, to, complaints) {
    const exception = this.exceptions.find((exception) => covers(exception, name) && exception.to === to);
    if (exception) {
      this.usedExceptions.add(exception);
      return;
    }
    this.counts.failed += 1;
    for (const { path, problem } of complaints) {
      this.problem(`${to} ${kind} ${placeOf(path) || "(the whole)"}: ${problem}`, `${name} (from ${from})`);
    }
  }

  problem(title, example) {
    this.problems.set(title, [...(this.problems.get(title) ?? []), example]);
  }

  /** Reports entries of the lists that were not needed. */
  unused(list, entry) {
    this.counts.failed += 1;
    this.problem(`${list}: no body needs it`, entry);
  }

  finish() {
    for (const [title, examples] of [...this.problems].sort(([a], [b]) => (a < b ? -1 : 1))) {
      console.log(`FAILED  ${title}`);
      for (const example of examples.slice(0, shown)) console.log(`        ${example}`);
      if (examples.length > shown) console.log(`        and ${examples.length - shown} more`);
    }
    const { passed, failed, refused, own } = this.counts;
    console.log(`\n${refused} inputs refused by the package, ${own} bodies odd by their own provider's state,`);
    console.log(`${this.usedExceptions.size} exceptions`);
    console.log(`\n${passed} passed, ${failed} failed`);
    return failed === 0 ? 0 : 1;
  }
}

/** An exception whose name ends with `/` covers all vectors in that folder. */
function covers(exception, name) {
  return exception.name.endsWith("/") ? name.startsWith(exception.name) : name === exception.name;
}
