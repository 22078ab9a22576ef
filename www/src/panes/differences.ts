// What distinguishes an event from the one before it: most of its fields repeat.

/** One leaf that is new or differs. */
export interface Difference {
  path: string;
  value: string;
}

/** What of the second value is not in the first one. */
export function differences(before: unknown, after: unknown, path = ""): Difference[] {
  if (before === after) return [];
  if (!isContainer(before) || !isContainer(after) || Array.isArray(before) !== Array.isArray(after)) {
    return leaves(after, path);
  }
  const [old, now] = [before as Record<string, unknown>, after as Record<string, unknown>];
  return Object.entries(now).flatMap(([key, value]) => differences(old[key], value, join(path, key, now)));
}

function leaves(value: unknown, path: string): Difference[] {
  if (!isContainer(value) || Object.keys(value).length === 0) return [{ path, value: JSON.stringify(value) ?? "" }];
  return Object.entries(value).flatMap(([key, held]) => leaves(held, join(path, key, value)));
}

const isContainer = (value: unknown): value is object => typeof value === "object" && value !== null;

function join(path: string, key: string, container: object): string {
  if (Array.isArray(container)) return `${path}[${key}]`;
  return path === "" ? key : `${path}.${key}`;
}
