// Claude's requests on Bedrock and Vertex AI for Anthropic's own API.

/** Members of Claude's requests on these clouds that are headers elsewhere: a text or a list of texts. Within a string, their quotes would be escaped. */
const MEMBER = /"anthropic_(?:version|beta)"\s*:\s*(?:"[^"\\]*"|\[[^[\]{}\\]*\])/.source;
const OF_HOST = new RegExp(`,\\s*${MEMBER}|${MEMBER}\\s*,?`, "g");

/** A request of Claude's on a cloud as Anthropic's own API accepts it. All else stays byte for byte, unless the members are elsewhere, too. */
export function withoutHost(body: Uint8Array): Uint8Array {
  const text = new TextDecoder().decode(body);
  const { anthropic_version: _, anthropic_beta: __, ...rest } = JSON.parse(text);
  const kept = text.replace(OF_HOST, "");
  const wanted = JSON.stringify(rest);
  return new TextEncoder().encode(isSame(kept, wanted) ? kept : wanted);
}

function isSame(text: string, wanted: string): boolean {
  try {
    return JSON.stringify(JSON.parse(text)) === wanted;
  } catch {
    return false;
  }
}
