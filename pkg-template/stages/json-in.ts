// Extracts JSON from the text of a model.

/** The first JSON object or array in a text, or the whole text if it is JSON. */
export function jsonIn(text: string): string | undefined {
  const trimmed = text.trim();
  if (isJson(trimmed)) return trimmed;
  let attempts = 0;
  for (const { index } of trimmed.matchAll(/[{[]/g)) {
    // give up on prose with many brackets
    if (attempts++ === 8) return undefined;
    const end = endOf(trimmed, index);
    const found = end === undefined ? undefined : trimmed.slice(index, end);
    if (found !== undefined && isJson(found)) return found;
  }
  return undefined;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The end of the value that starts with a bracket. */
function endOf(text: string, start: number): number | undefined {
  let depth = 0;
  const tokens = /"(?:[^"\\]|\\.)*"|[{}[\]]/gs;
  tokens.lastIndex = start;
  for (let token = tokens.exec(text); token; token = tokens.exec(text)) {
    if (token[0] === "{" || token[0] === "[") depth++;
    if ((token[0] === "}" || token[0] === "]") && --depth === 0) return tokens.lastIndex;
  }
  return undefined;
}
