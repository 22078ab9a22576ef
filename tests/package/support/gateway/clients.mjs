// The official SDKs as clients, by name: `open` starts a conversation, `ask` and `sendResults` continue it and return what the SDK gives
// its user, and `errorOf` returns the fields of an error.

import { aiClients } from "./clients/ai.mjs";
import { anthropicClients } from "./clients/anthropic.mjs";
import { bedrockClients } from "./clients/bedrock.mjs";
import { googleClients } from "./clients/google.mjs";
import { ollamaClients } from "./clients/ollama.mjs";
import { openAIClients } from "./clients/openai.mjs";

export const clients = {
  ...openAIClients,
  ...anthropicClients,
  ...bedrockClients,
  ...googleClients,
  ...ollamaClients,
  ...aiClients,
};
