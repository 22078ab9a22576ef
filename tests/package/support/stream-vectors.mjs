// The vectors of streams through the package's public functions, in every supported way of calling them. Runs in browsers, too.

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true });
/** The member that is also the name of an event, for dialects whose events have names. */
const NAMED = { anthropic: "type", "openai-responses": "type", cohere: "type", "gemini-interactions": "event_type" };
const LINES = ["bedrock", "ollama"];
/** The formats whose streams have an end marker. */
const DONE = ["openai", "mistral", "cohere"];

// ── the checks of the vectors (like tests/support/cases.rs) ─────────────────────────────────────────────────────────────

/** One check for each stream and each expected outcome. */
export const checksOf = (cases) => cases.filter(({ kind }) => kind === "stream").flatMap(checksOfCase);

function checksOfCase({ name, options = {}, cut = false, ...one }) {
  const check = (label, from, to, input, expected, more) => ({
    name: `${name} ${label}`,
    ...{ from, to, options, expected, ...more },
    bytes: typeof input === "string" ? encoder.encode(input) : framed(from, input, cut),
    // the objects that an SDK's stream would yield
    objects: Array.isArray(input) && input.every((event) => event && typeof event === "object") ? input : undefined,
  });
  const expect = (entry, body, warnings = []) => (entry.error ? { error: entry.error } : { body, warnings });
  const canonical = one.canonical ?? one.canonicalText;
  const writes = ([to, entry]) =>
    check(`→ ${to}`, "canonical", to, canonical, expect(entry, entry.body ?? entry.bodyText, entry.warnings));
  const reads = (part) => (entries) => entries.flatMap(([from, entry]) => readChecks(from, entry, part));
  const readChecks = (from, entry, part) => {
    const input = bodyOf(entry, "body");
    const warnings = part === "both" ? entry.readWarnings : entry.warnings;
    const expected = expect(canonical === undefined ? one : entry, canonical, warnings);
    const asEvents = check(`${from} →`, from, "canonical", input, expected);
    if (!one.answer) return [asEvents];
    const whole = { body: one.answer, warnings: entry.readWarnings ?? entry.warnings ?? [] };
    return [asEvents, check(`${from} → whole`, from, "canonical", input, whole, { isWhole: true })];
  };
  const [both, written, read] = [one.both, one.writes, one.reads].map((entries) => Object.entries(entries ?? {}));
  return [
    ...[...both, ...written].map(writes),
    ...reads("both")(both),
    ...reads("reads")(read),
    ...(one.convert ?? []).map((entry) => {
      const { from, to, warnings } = entry;
      const expected = expect(entry, bodyOf(entry, "result"), warnings);
      return check(`${from} → ${to}`, from, to, bodyOf(entry, "body"), expected);
    }),
  ];
}

/** An array is a list of events; anything else is the text of a body. */
function bodyOf(entry, key) {
  if (entry[`${key}Text`] !== undefined) return entry[`${key}Text`];
  const body = entry[key];
  return body === undefined || Array.isArray(body) ? body : JSON.stringify(body);
}

function framed(dialect, events, isCut) {
  if (LINES.includes(dialect)) return encoder.encode(events.map((event) => `${JSON.stringify(event)}\n`).join(""));
  const frames = events.map((event) => {
    const name = NAMED[dialect] ? `event: ${event?.[NAMED[dialect]] ?? "error"}\n` : "";
    return `${name}data: ${JSON.stringify(event)}\n\n`;
  });
  if (DONE.includes(dialect) && !isCut) frames.push("data: [DONE]\n\n");
  return encoder.encode(frames.join(""));
}

/** The events of a written stream. Fails unless the framing is that of the dialect. */
function unframed(dialect, bytes) {
  if (dialect === "bedrock") return messagesIn(bytes);
  if (LINES.includes(dialect)) {
    const lines = decoder.decode(bytes).split("\n");
    if (lines.pop() !== "") throw new Error("the last line is not ended");
    return lines.map((line) => JSON.parse(line));
  }
  const frames = decoder.decode(bytes).split("\n\n");
  if (frames.pop() !== "") throw new Error("the last event is not ended");
  if (DONE.includes(dialect) && frames.pop() !== "data: [DONE]") throw new Error("no [DONE] at the end");
  return frames.map((frame) => {
    const [, name = "", data] = /^(?:event: (.*)\n)?data: (.*)$/.exec(frame) ?? [];
    const event = JSON.parse(data);
    if (name !== (NAMED[dialect] ? event[NAMED[dialect]] : "")) throw new Error(`an event is named ${name}: ${frame}`);
    return event;
  });
}

/** The events of AWS's binary messages. */
export function messagesIn(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const events = [];
  for (let start = 0; start < bytes.length; start += view.getUint32(start)) {
    const end = start + view.getUint32(start);
    const payload = start + 12 + view.getUint32(start + 4);
    const headers = {};
    for (let at = start + 12; at < payload; ) {
      const [name, value] = [at + 1, at + 1 + view.getUint8(at) + 3];
      at = value + view.getUint16(value - 2);
      headers[decoder.decode(bytes.subarray(name, value - 3))] = decoder.decode(bytes.subarray(value, at));
    }
    if (headers[":content-type"] !== "application/json") throw new Error(`other headers: ${JSON.stringify(headers)}`);
    const name = headers[`:${headers[":message-type"]}-type`];
    const body = JSON.parse(decoder.decode(bytes.subarray(payload, end - 4)));
    events.push(name === "" || body.__type === name ? body : { [name]: body });
  }
  return events;
}

// ── comparison (like tests/support/compare.rs) ───────────────────────────────────────────────────────────────────────────

/** The first position at which `found` differs from `expected`; `ids` has the values of the vector's variables. */
function difference(expected, found, ids = new Map(), path = "") {
  const differs = () => `${path}: expected ${JSON.stringify(expected)}, found ${JSON.stringify(found)}`;
  if (typeof expected === "string" && typeof found === "string") {
    return textIs(expected, found, ids) ? undefined : differs();
  }
  if (expected === null || typeof expected !== "object") return Object.is(expected, found) ? undefined : differs();
  if (found === null || typeof found !== "object" || Array.isArray(found) !== Array.isArray(expected)) return differs();
  for (const key of new Set([...Object.keys(expected), ...Object.keys(found)])) {
    if (!(Object.hasOwn(expected, key) && Object.hasOwn(found, key))) return differs();
    const inside = difference(expected[key], found[key], ids, `${path}/${key}`);
    if (inside) return inside;
  }
}

function textIs(expected, found, ids) {
  if (expected === "«text»") return found !== "";
  const [, before, variable, after] = /^(.*?)(«id:[^»]*»)(.*)$/s.exec(expected) ?? [];
  if (!variable) return expected === found;
  const value = found.slice(before.length, found.length - after.length);
  if (`${before}${value}${after}` !== found || !/^[\w-]{1,40}$/.test(value)) return false;
  if (!ids.has(variable) && ![...ids.values()].includes(value)) ids.set(variable, value);
  return ids.get(variable) === value;
}

/** The difference between an outcome and the expected one. Without bytes, the position of an error in them is ignored. */
function wrong({ error, ...expected }, found, hasPlace) {
  if (!error !== !found.error) return `expected ${error ? "an error" : "none"}, found ${JSON.stringify(found)}`;
  if (!error) return difference(expected.body, found.body) ?? warningsDifference(expected, found);
  const { stream, ...rest } = error;
  const wanted = { ...rest, ...(hasPlace && stream) };
  const fields = Object.keys(wanted).map((key) => [key, found.error[key]]);
  return difference(wanted, Object.fromEntries(fields));
}

function warningsDifference(expected, found) {
  const summary = ({ warnings }) => warnings.map(({ code, path, lossy }) => [code, path, lossy]);
  return difference(summary(expected), summary(found), new Map(), "warnings");
}

// ── ways to read and convert a stream ───────────────────────────────────────────────────────────────────────────────────

const streamOf = (pieces) =>
  new ReadableStream({
    start: (controller) => {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });

async function collected(events) {
  const all = [];
  for await (const event of events) all.push(event);
  return all;
}

function readWith(reader, pieces) {
  const events = pieces.flatMap((piece) => reader.push(piece));
  return [...events, ...reader.end()];
}

/** Each returns the events or the whole response, given the functions of the package, the options of a check and its pieces. */
const waysToRead = {
  "readStream, in bytes": ({ readStream }, options, pieces) => readWith(readStream(options), pieces),
  "readStream, as text": ({ readStream }, options, pieces) => readWith(readStream(options), texts(pieces)),
  "streamEvents of a body": ({ streamEvents }, options, pieces) => collected(streamEvents(streamOf(pieces), options)),
  "streamEvents of text": ({ streamEvents }, options, pieces) => collected(streamEvents(texts(pieces), options)),
};
const waysToReadWhole = {
  "readStream, finish": ({ readStream }, options, pieces) => {
    const reader = readStream(options);
    for (const piece of pieces) reader.push(piece);
    return reader.finish();
  },
  "readStream, end and finish": ({ readStream }, options, pieces) => {
    const reader = readStream(options);
    readWith(reader, pieces);
    return reader.finish();
  },
};
const waysToConvert = {
  convertStream: ({ convertStream }, options, pieces) => {
    const converter = convertStream(options);
    const written = pieces.map((piece) => converter.push(piece));
    return concatenated([...written, converter.finish(), converter.finish()]);
  },
  "a pipe": async ({ convertStream }, options, pieces) => {
    const piped = streamOf(pieces).pipeThrough(convertStream(options).transform());
    const [reader, written] = [piped.getReader(), []];
    for (let read = await reader.read(); !read.done; read = await reader.read()) written.push(read.value);
    return concatenated(written);
  },
};

function waysOf({ from, to, isWhole }) {
  if (isWhole) return waysToReadWhole;
  return from !== "canonical" && to === "canonical" ? waysToRead : waysToConvert;
}

function concatenated(pieces) {
  const all = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

/** The same pieces as strings: a character that is split is part of the later one. */
function texts(pieces) {
  const decode = new TextDecoder("utf-8", { ignoreBOM: true });
  return [...pieces.map((piece) => decode.decode(piece, { stream: true })), decode.decode()];
}

/** Random numbers from 0 to 1; equal seeds give equal numbers. */
function randomFrom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function inRandomPieces(bytes, random) {
  const most = [1, 7, 60, 600, bytes.length][Math.floor(random() * 5)];
  const pieces = [];
  for (let at = 0; at < bytes.length; ) {
    // some pieces are empty
    const end = at + Math.floor(random() * (most + 1));
    pieces.push(bytes.slice(at, end));
    at = Math.min(end, bytes.length);
  }
  return pieces;
}

async function outcome(run, { from, to, ...check }) {
  const warnings = [];
  const options = { ...check.options, bookkeeping: true, from, to, onWarning: (warning) => warnings.push(warning) };
  try {
    const given = await run(options);
    if (!(given instanceof Uint8Array)) return { body: given, warnings };
    const isExact = typeof check.expected.body === "string";
    return { body: isExact ? decoder.decode(given) : unframed(to, given), warnings };
  } catch (error) {
    const { name, code, path, offset, event, message } = error;
    return { error: { name, code, path, offset, event, message } };
  }
}

/** Runs all checks. Each way also runs `rounds` times with random pieces. */
export async function runVectors(toolwire, cases, { seed, rounds }) {
  const random = randomFrom(seed);
  const counts = {};
  const failures = [];
  const hold = async (check, way, run, hasPlace = true) => {
    const difference = wrong(check.expected, await outcome(run, check), hasPlace);
    counts[way] = (counts[way] ?? 0) + 1;
    if (difference) failures.push(`${check.name}, ${way}: ${difference}`.slice(0, 500));
  };
  for (const check of checksOf(cases)) {
    for (const [way, run] of Object.entries(waysOf(check))) {
      const pieces = [[check.bytes], ...Array.from({ length: rounds }, () => inRandomPieces(check.bytes, random))];
      for (const some of pieces) await hold(check, way, (options) => run(toolwire, options, some));
    }
    if (check.objects && waysOf(check) === waysToRead) {
      const run = (options) => collected(toolwire.streamEvents(check.objects, options));
      await hold(check, "streamEvents of objects", run, false);
    }
  }
  return { counts, failures };
}
