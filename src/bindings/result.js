// Creates the result of a tool call from any value that the tool returned.

import { resultOf } from "../value/js/values.js";

/** Creates a tool message. Throws a TypeError for values that can't be a result. */
export function makeMessage(toolCallId, name, returned) {
  return { role: "tool", toolCallId, name, ...outcomeOf(returned) };
}

function outcomeOf(returned) {
  if (typeof returned === "string") return { kind: "text", value: returned };
  if (returned === undefined) return { kind: "text", value: "" };
  const value = resultOf(returned);
  // the only objects that become text are errors
  if (typeof value === "string") return { kind: "error", value };
  return isMcpResult(value) ? mcpOutcome(value) : { kind: "data", value };
}

const mcpFields = ["content", "structuredContent", "isError", "_meta", "resultType"];
const required = {
  text: ["text"],
  image: ["data", "mimeType"],
  audio: ["data", "mimeType"],
  resource_link: ["uri"],
  resource: ["resource"],
};

/** Whether it is a `CallToolResult` (https://modelcontextprotocol.io/specification/2025-06-18/server/tools#tool-result). */
function isMcpResult(value) {
  try {
    return (
      Array.isArray(value?.content) &&
      Object.keys(value).every((key) => mcpFields.includes(key)) &&
      (value.content.length > 0 || value.structuredContent !== undefined || value.isError !== undefined) &&
      value.content.every(isMcpBlock)
    );
  } catch {
    return false;
  }
}

function isMcpBlock(block) {
  if (!Object.hasOwn(required, String(block?.type))) return false;
  if (block.type === "resource") {
    const { uri, text, blob } = block.resource ?? {};
    return typeof uri === "string" && (typeof text === "string" || typeof blob === "string");
  }
  return required[block.type].every((key) => typeof block[key] === "string");
}

function mcpOutcome({ content, structuredContent, isError, _meta }) {
  const isText = content.every(({ type }) => type === "text");
  const outcome = (kind, value) => ({
    kind,
    value,
    ...(isError === true && kind !== "error" && { isError }),
    ...(_meta !== undefined && { metadata: { mcp: { _meta } } }),
  });
  if (structuredContent !== undefined) {
    // servers repeat it as text, for clients that do not know it
    const others = content.filter((block) => !repeats(block, structuredContent));
    if (others.length === 0) return outcome("data", structuredContent);
    return outcome("multimodal", [{ type: "data", value: structuredContent }, ...others.map(blockOf)]);
  }
  if (isText && content.every(isBare) && content.length <= 1) {
    return outcome(isError === true ? "error" : "text", content[0]?.text ?? "");
  }
  return outcome("multimodal", content.map(blockOf));
}

function isBare({ annotations, _meta }) {
  return annotations === undefined && _meta === undefined;
}

function repeats({ type, text }, structured) {
  try {
    return type === "text" && JSON.stringify(JSON.parse(text)) === JSON.stringify(structured);
  } catch {
    return false;
  }
}

function blockOf(block) {
  const { annotations, _meta } = block;
  const mcp = { ...fieldsOf(block), ...(annotations && { annotations }), ...(_meta && { _meta }) };
  const metadata = Object.keys(mcp).length > 0 ? { metadata: { mcp } } : {};
  return { ...contentOf(block), ...metadata };
}

/** The fields of a block that only MCP has. */
function fieldsOf({ type, resource, text: _text, annotations: _annotations, _meta, ...link }) {
  if (type === "resource") {
    const { text: _content, blob: _blob, ...fields } = resource;
    return { resource: fields };
  }
  return type === "resource_link" ? { resource_link: link } : {};
}

function contentOf(block) {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text };
    case "resource_link":
      return {
        type: "text",
        text: [`${block.title ?? block.name ?? "resource"}: ${block.uri}`, block.description]
          .filter(Boolean)
          .join("\n"),
      };
    case "resource":
      return block.resource.text === undefined
        ? media(block.resource.blob, block.resource.mimeType ?? "application/octet-stream", block.resource.uri)
        : { type: "text", text: block.resource.text };
    default:
      return media(block.data, block.mimeType);
  }
}

function media(data, mediaType, name) {
  const [kind] = mediaType.split("/");
  const type = ["image", "audio", "video"].includes(kind) ? kind : "document";
  return { type, source: { type: "base64", data }, mediaType, ...(name !== undefined && { name }) };
}
