// Counts checks, prints those that fail, and describes how two JSON values differ.

export class Results {
  passed = 0;
  failed = 0;

  /** `body` throws or returns a message if the check fails. */
  check(name, body) {
    let wrong;
    try {
      wrong = body();
    } catch (error) {
      wrong = `${error.name} ${error.code ?? ""} at ${JSON.stringify(error.path ?? "")}: ${error.message}`;
    }
    if (wrong === undefined) {
      this.passed += 1;
    } else {
      this.failed += 1;
      console.log(`FAILED  ${name}\n        ${wrong}`);
    }
  }

  summarise() {
    console.log(`\n${this.passed} passed, ${this.failed} failed`);
    return this.failed === 0 ? 0 : 1;
  }
}

/** The first few differences, or undefined if the values are equal as JSON, regardless of the order of keys. The bytes of an SDK's objects are base64. */
export function differences(expected, actual, limit = 3) {
  const found = [];
  compare(expected, actual, "", found);
  if (found.length === 0) return undefined;
  const more = found.length > limit ? ` (and ${found.length - limit} more)` : "";
  return found.slice(0, limit).join("; ") + more;
}

function compare(expected, given, path, found) {
  const actual = given instanceof Uint8Array ? Buffer.from(given).toString("base64") : given;
  if (Object.is(expected, actual) || expected === actual) return;
  if (!isObject(expected) || !isObject(actual) || Array.isArray(expected) !== Array.isArray(actual)) {
    found.push(`${path || "the whole"}: expected ${show(expected)}, got ${show(actual)}`);
    return;
  }
  for (const key of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
    compare(own(expected, key), own(actual, key), `${path}/${key}`, found);
  }
}

function own(object, key) {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

export function isObject(value) {
  return typeof value === "object" && value !== null;
}

function show(value) {
  const text = value === undefined ? "nothing" : JSON.stringify(value);
  return text.length > 90 ? `${text.slice(0, 87)}…` : text;
}
