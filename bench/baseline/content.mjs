// Content of messages: texts, images, arguments.

import { isBlank, notCovered, warn, warnAboutField } from "./warnings.mjs";

const dataUrl = /^data:([^;,]+)((?:;[^;,]+)*);base64,/;
const images = new Set(["image/jpeg", "image/png", "image/gif", "image/webp"]);

/** Parts as blocks. Empty texts are dropped, and blank ones if all are blank. */
export function blocksOf(parts, path, warnings) {
  const saysSomething = parts.some((part) => part.type === "text" && !isBlank(part.text));
  const blocks = [];
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index];
    switch (part.type) {
      case "text":
        if (part.text === "" || (!saysSomething && isBlank(part.text))) {
          warn(warnings, "empty_dropped", `${path}/${index}`);
        } else blocks.push({ type: "text", text: part.text });
        for (const key in part) {
          if (key !== "type" && key !== "text") warnAboutField(warnings, `${path}/${index}`, key, part[key]);
        }
        break;
      case "image_url": {
        const block = image(part, `${path}/${index}`, warnings);
        if (block !== undefined) blocks.push(block);
        break;
      }
      case "input_audio":
        warn(warnings, "media_dropped", `${path}/${index}`);
        break;
      case "file":
      case "refusal":
        notCovered(part.type);
        break;
      default:
        warn(warnings, "native_dropped", `${path}/${index}`);
    }
  }
  return blocks;
}

function image(part, path, warnings) {
  const source = sourceOf(part.image_url.url);
  if (source === undefined) {
    warn(warnings, "media_dropped", path);
    return undefined;
  }
  for (const key in part) if (key !== "type" && key !== "image_url") warnAboutField(warnings, path, key, part[key]);
  for (const key in part.image_url) {
    if (key !== "url") warnAboutField(warnings, `${path}/image_url`, key, part.image_url[key]);
  }
  return { type: "image", source };
}

function sourceOf(url) {
  const match = dataUrl.exec(url);
  if (match === null) return /^https?:/i.test(url) ? { type: "url", url } : undefined;
  const media_type = match[1].toLowerCase();
  return images.has(media_type) ? { type: "base64", media_type, data: url.slice(match[0].length) } : undefined;
}

/** Argument text as an object, which the target requires; other values are wrapped. */
export function inputOf(text, index, place, warnings) {
  if (typeof text === "object" && text !== null) return text;
  if (text === "" || text == null) return {};
  try {
    const value = JSON.parse(text);
    if (typeof value === "object" && !Array.isArray(value)) return value ?? {};
  } catch {
    // reported below
  }
  warn(warnings, "arguments_wrapped", `/messages/${index}/tool_calls/${place}`);
  return { rawArguments: text };
}
