// Checks the content blocks of a result: a malformed one would end every later request of the conversation.

type Fields = Record<string, unknown>;

const isText = (value: unknown): value is string => typeof value === "string";
const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isMediaType = (value: unknown) => isText(value) && /^[\w.+-]+\/[\w.+*-]+$/.test(value);
const isBase64 = (value: unknown) => isText(value) && /^[A-Za-z0-9+/_-]+={0,2}$/.test(value);

/** What is wrong with the source of a medium, by its type. Undefined: nothing. */
const sources: { readonly [type: string]: (source: Fields, block: Fields) => string | undefined } = {
  base64: ({ data }, { mediaType }) =>
    isBase64(data)
      ? isMediaType(mediaType)
        ? undefined
        : "needs a mediaType such as image/png"
      : "needs data in base64, without a prefix",
  url: ({ url }) => (isText(url) && /^[a-z][a-z0-9+.-]*:\S+$/i.test(url) ? undefined : "needs an absolute url"),
  file: ({ id }) => (isText(id) && id !== "" ? undefined : "needs the id of a file"),
  text: ({ data }) => (isText(data) ? undefined : "needs data that is text"),
};

/** What is wrong with a block, by its type. Undefined: nothing. */
const blocks: { readonly [type: string]: (block: Fields) => string | undefined } = {
  text: textProblem,
  refusal: textProblem,
  reasoning: ({ issuer }) => (isText(issuer) ? undefined : "needs an issuer"),
  data: (block) => ("value" in block ? undefined : "needs a value"),
  native: (block) => (isText(block.provider) && "value" in block ? undefined : "needs a provider and a value"),
  toolCall: ({ id }) => (isText(id) ? undefined : "needs an id"),
  toolReference: ({ name }) => (isText(name) ? undefined : "needs a name"),
  image: mediaProblem,
  audio: mediaProblem,
  video: mediaProblem,
  document: mediaProblem,
};

function textProblem({ text }: Fields): string | undefined {
  return isText(text) ? undefined : "needs a text";
}

function mediaProblem(block: Fields): string | undefined {
  const { source, mediaType, name } = block;
  const check = isObject(source) && isText(source.type) && Object.hasOwn(sources, source.type) && sources[source.type];
  if (!check) return `needs a source of one of these types: ${Object.keys(sources).join(", ")}`;
  if (mediaType !== undefined && !isMediaType(mediaType)) return "needs a mediaType such as image/png";
  if (name !== undefined && !isText(name)) return "needs a name that is text";
  return check(source as Fields, block);
}

/** What is wrong with the first block that is not one. Undefined: nothing. */
export function problemOfBlocks(value: readonly unknown[]): string | undefined {
  for (const [index, block] of value.entries()) {
    const check = isObject(block) && isText(block.type) && Object.hasOwn(blocks, block.type) && blocks[block.type];
    const known = Object.keys(blocks).join(", ");
    const hasMetadata = isObject(block) && block.metadata !== undefined && !isObject(block.metadata);
    const problem = !check
      ? `needs one of these types: ${known}`
      : hasMetadata
        ? "needs metadata that is an object"
        : check(block as Fields);
    if (problem) return `block ${index + 1} ${problem}`;
  }
  return undefined;
}
