// Gemini on Vertex AI has the wire format of the Gemini API. What one of the two has alone is not declared in either.

/**
 * The body of `POST …/publishers/google/models/{model}:generateContent`.
 *
 * @see https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/inference
 */
export type VertexAIRequest = GeminiRequest;
/** The fields that hold the messages. */
export type VertexAIMessages = GeminiMessages;
/** The fields that hold tools and choice. */
export type VertexAIToolConfig = GeminiToolConfig;
export type VertexAITools = GeminiTools;
export type VertexAIToolChoice = GeminiToolChoice;
/** The body of a response. */
export type VertexAIResponse = GeminiResponse;
export type VertexAISchemaObject = GeminiSchemaObject;
