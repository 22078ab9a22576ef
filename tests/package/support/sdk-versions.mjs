// The majors of the providers' SDKs whose types accept outputs without a cast. `files` are the tests in tests/types/sdk that apply to each
// of them.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** `packages`: the newest major first. Older ones are installed under another name. */
export const sdks = [
  { name: "openai", packages: ["openai", "openai-6"], files: ["openai", "openai-responses"] },
  { name: "@anthropic-ai/sdk", packages: ["@anthropic-ai/sdk", "anthropic-sdk-0"], files: ["anthropic"] },
  { name: "@google/genai", packages: ["@google/genai", "google-genai-2"], files: ["google"] },
  { name: "@aws-sdk/client-bedrock-runtime", packages: ["@aws-sdk/client-bedrock-runtime"], files: ["bedrock"] },
  { name: "@google-cloud/vertexai", packages: ["@google-cloud/vertexai"], files: ["vertexai-sdk"] },
];

export function versionOf(name) {
  return JSON.parse(readFileSync(join(root, "node_modules", name, "package.json"), "utf8")).version;
}

/** Writes the same tests for the older majors; returns their paths. */
export function olderTests() {
  const folder = "build/types/sdk";
  mkdirSync(join(root, folder), { recursive: true });
  const source = (file) => readFileSync(join(root, `tests/types/sdk/${file}.ts`), "utf8");
  const write = (file, text) => writeFileSync(join(root, folder, `${file}.ts`), text);
  write("given", source("given"));
  return sdks.flatMap(({ name, packages, files }) =>
    packages.slice(1).flatMap((older) =>
      files.map((file) => {
        const target = `${file}-of-${older}`;
        write(target, source(file).replaceAll(`from "${name}`, `from "${older}`));
        return `${folder}/${target}.ts`;
      }),
    ),
  );
}
