// Compares bodies that should have the same meaning: equivalent forms count as equal.

import { isDeepStrictEqual } from "node:util";

/** The body in one of its equivalent forms: texts as blocks, JSON text as its value, one message for each turn. */
export function meaning(value, key) {
  if (Array.isArray(value)) {
    const items = value.map((item) => meaning(item));
    return key === "messages" ? joined(items) : items;
  }
  if (typeof value !== "object" || value === null) return asBlocks(value, key);
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(entries.map(([name, member]) => [name, meaning(member, name)]));
}

/** Joins consecutive messages of one role to one turn. */
function joined(messages) {
  const turns = [];
  for (const message of messages) {
    const last = turns.at(-1);
    if (last?.role === message.role) last.content = [...last.content, ...message.content];
    else turns.push({ ...message });
  }
  return turns;
}

function asBlocks(value, key) {
  if (typeof value !== "string") return value;
  if (key === "arguments") return parsed(value);
  return ["content", "system"].includes(key) ? [{ type: "text", text: value }] : value;
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** `{ path, count, ours, theirs }` for every path with differences; `*` stands for any index. */
export function differences(ours, theirs) {
  const found = new Map();
  compare(ours, theirs, "", found);
  return [...found.values()];
}

function compare(ours, theirs, path, found) {
  if (isDeepStrictEqual(ours, theirs)) return;
  const bothLists = Array.isArray(ours) && Array.isArray(theirs) && ours.length === theirs.length;
  const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
  if (bothLists) {
    for (const [index, item] of ours.entries()) compare(item, theirs[index], `${path}/*`, found);
  } else if (isObject(ours) && isObject(theirs)) {
    for (const key of new Set([...Object.keys(ours), ...Object.keys(theirs)])) {
      compare(ours[key], theirs[key], `${path}/${key}`, found);
    }
  } else {
    const known = found.get(path);
    if (known === undefined) found.set(path, { path, count: 1, ours: shown(ours), theirs: shown(theirs) });
    else known.count += 1;
  }
}

const longest = 60;

function shown(value) {
  if (value === undefined) return "absent";
  if (Array.isArray(value)) return `${value.length} items`;
  const text = JSON.stringify(value);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
