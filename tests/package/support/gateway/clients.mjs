// The official SDKs as clients, by name: `open` begins a conversation, `ask` and `sendResults` go on with it and give what the
// SDK's user hears, `heardError` is what an error tells.

import { aiClients } from "./clients/ai.mjs";
import { anthropicClients } from "./clients/anthropic.mjs";
import { googleClients } from "./clients/google.mjs";
import { ollamaClients } from "./clients/ollama.mjs";
import { openAIClients } from "./clients/openai.mjs";

export const clients = {
  ...openAIClients,
  ...anthropicClients,
  ...googleClients,
  ...ollamaClients,
  ...aiClients,
};
