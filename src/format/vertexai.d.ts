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
/**
 * The `tools` of a request; the same as Gemini's.
 * @see https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/inference
 */
export type VertexAITools = GeminiTools;
/**
 * The tool choice of a request; the same as Gemini's.
 * @see https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/inference
 */
export type VertexAIToolChoice = GeminiToolChoice;
/**
 * The body of a response.
 *
 * @see https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/inference
 */
export type VertexAIResponse = GeminiResponse;
/**
 * A schema in Google's OpenAPI form; the same as Gemini's.
 * @see https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/inference
 */
export type VertexAISchemaObject = GeminiSchemaObject;
