//! Control words: every key, type tag, role and mode that a dialect reads or writes, as one enum.
//!
//! A store resolves a string to its word in one operation, so dialects match on words and never compare strings. A variant
//! is spelled exactly as the word stands on the wire.

macro_rules! words {
    ($($name:ident $(= $text:literal)?),+ $(,)?) => {
        /// A control word, spelled as on the wire.
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u16)]
        pub enum Word { $($name),+, /// No control word.
            Unknown }

        impl Word {
            /// Every word, in the order of the enum.
            pub const ALL: &'static [Word] = &[$(Word::$name),+];
            const TEXTS: &'static [&'static str] = &[$(words!(@text $name $(= $text)?)),+];
        }
    };
    (@text $name:ident = $text:literal) => { $text };
    (@text $name:ident) => { stringify!($name) };
}

words! {
    // canonical keys
    role, content, metadata, toolCalls, invalidToolCalls, toolCallId, kind, value, isError, id, name, arguments,
    rawArguments, error, r#type = "type", text, signature, redacted, issuer, scope, source, mediaType, data, url,
    provider, native, messages, model, tools, toolChoice, parallelToolCalls, maxTokens, temperature, topP, topK,
    presencePenalty, frequencyPenalty, stop, seed, candidateCount, topLogprobs, reasoning, effort, budgetTokens,
    include, verbosity, responseFormat, schema, strict, description, parameters, stream, userId, allowed, mode,
    message, reasoningText, finishReason, rawFinishReason, usage, input, output, total, cached, cacheWrite,
    thoughtSignature, form, continues, omitted, summarized, compaction,
    // events of streams
    start, textDelta, refusalDelta, reasoningDelta, reasoningEnd, toolCallStart, toolCallDelta, toolCallEnd, block, call, finish,
    // canonical values
    system, user, assistant, tool, refusal, image, audio, video, document, toolCall, base64, file, multimodal, auto,
    none, required, json, jsonSchema, length, tool_calls, content_filter, pause, other, minimal, low, medium, high,
    xhigh, max,
    // providers
    openai, anthropic, google, bedrock, mistral, cohere, ollama, mcp,
    // openai keys
    max_tokens, max_completion_tokens, top_p, top_k, presence_penalty, frequency_penalty, n, top_logprobs, logprobs,
    reasoning_effort, response_format, json_schema, parallel_tool_calls, tool_choice, tool_call_id, function,
    functions, function_call, custom, format, json_object, image_url, detail, input_audio, input_file, file_id,
    file_data, filename, allowed_tools, developer, reasoning_content, extra_content, provider_specific_fields,
    thought_signature, choices, choice, index, finish_reason,
    prompt_tokens, completion_tokens, total_tokens, prompt_tokens_details, completion_tokens_details, cached_tokens,
    cache_write_tokens, reasoning_tokens, object, created, system_fingerprint, service_tier, annotations, legacy,
    chat_completion = "chat.completion", wav, mp3, safety_identifier, stream_options, call_id,
    delta, obfuscation, transcript, chat_completion_chunk = "chat.completion.chunk",
    // anthropic keys
    input_schema, tool_use, tool_result, tool_use_id, is_error, thinking, redacted_thinking,
    disable_parallel_tool_use, any, stop_sequences, output_config, budget_tokens, enabled, disabled, adaptive,
    user_id, stop_reason, stop_sequence, stop_details, input_tokens, output_tokens, cache_creation_input_tokens,
    cache_read_input_tokens, output_tokens_details, thinking_tokens, anthropic_version, anthropic_beta,
    invocation_metrics = "amazon-bedrock-invocationMetrics", caller, container,
    cache_control, citations, media_type, title, display, end_turn, pause_turn, model_context_window_exceeded,
    search_result, direct, server_tool_use, cache_creation, inference_geo, speed, diagnostics,
    // gemini keys
    contents, parts, systemInstruction, functionDeclarations, parametersJsonSchema, toolConfig, functionCallingConfig,
    allowedFunctionNames, functionCall, functionResponse, args, response, inlineData, fileData, mimeType, fileUri,
    displayName, thought, generationConfig, maxOutputTokens, stopSequences, logprobsCount, responseLogprobs,
    responseMimeType, responseSchema, responseJsonSchema, thinkingConfig, includeThoughts, thinkingBudget,
    thinkingLevel, candidates, candidate, promptFeedback, blockReason, usageMetadata, promptTokenCount,
    candidatesTokenCount, thoughtsTokenCount, cachedContentTokenCount, toolUsePromptTokenCount, totalTokenCount,
    modelVersion, responseId, config, safetySettings, result, AUTO, ANY, NONE, VALIDATED, MODE_UNSPECIFIED, STOP,
    MAX_TOKENS, SAFETY, RECITATION, LANGUAGE, OTHER, BLOCKLIST, PROHIBITED_CONTENT, SPII, MALFORMED_FUNCTION_CALL,
    UNEXPECTED_TOOL_CALL, TOO_MANY_TOOL_CALLS, MISSING_THOUGHT_SIGNATURE, MALFORMED_RESPONSE, IMAGE_SAFETY,
    IMAGE_PROHIBITED_CONTENT, NO_IMAGE, IMAGE_RECITATION, IMAGE_OTHER, CONTINUATION, ESCALATION,
    FINISH_REASON_UNSPECIFIED, MINIMAL, LOW, MEDIUM, HIGH, finishMessage, groundingMetadata, serviceTier, promptTokensDetails,
    application_json = "application/json", text_plain = "text/plain",
    // fields that one of Google's two APIs has alone
    partialArgs, willContinue, jsonPath, stringValue, numberValue, boolValue, nullValue, streamFunctionCallArguments,
    toolResponse, partMetadata, mediaProcessing, includeServerSideToolInvocations, store, fileSearch, mcpServers,
    retrieval, enterpriseWebSearch, parallelAiSearch, exaAiSearch, routingConfig, modelConfig, modelSelectionConfig,
    audioTimestamp, modelArmorConfig, outputConfig, generationOutputConfig,
    createTime, trafficType, avgLogprobs, candidatesTokensDetails, cacheTokensDetails, toolUsePromptTokensDetails,
    // errors
    code, status, statusCode, retryable, request_id, Message, param, errors, list, error_description, invalid_request, authentication, billing,
    permission, not_found, conflict, too_large, rate_limit, cancelled, unsupported, overloaded, timeout, unknown,
    invalid_request_error, authentication_error, billing_error, permission_error, not_found_error, conflict_error,
    request_too_large, rate_limit_error, api_error, timeout_error, overloaded_error, invalid_api_key,
    insufficient_quota, billing_hard_limit_reached, billing_not_active, request_forbidden, model_not_found,
    rate_limit_exceeded, requests, tokens, slow_down, server_error, server_is_overloaded, service_unavailable_error,
    context_length_exceeded, content_policy_violation, INVALID_ARGUMENT, FAILED_PRECONDITION, OUT_OF_RANGE,
    UNAUTHENTICATED, PERMISSION_DENIED, NOT_FOUND, ALREADY_EXISTS, ABORTED, RESOURCE_EXHAUSTED, CANCELLED, DATA_LOSS,
    UNKNOWN, INTERNAL, UNIMPLEMENTED, UNAVAILABLE, DEADLINE_EXCEEDED,
    // the report format
    tool_results, invalid_tool_calls, raw_arguments, raw_context, multimodal_parts,
    // json schema keys
    properties, items, nullable, r#enum = "enum", r#const = "const", anyOf, oneOf, allOf, additionalProperties,
}

/// Slots of the look-up table: a power of two, at least twice the number of words.
const SLOTS: usize = 1024;
/// Open addressing; a slot holds the word's number plus one, 0 is empty. Built by the compiler.
static TABLE: [u16; SLOTS] = build_table();

const fn hash(text: &[u8]) -> usize {
    let mut hash: u32 = 0x811c_9dc5;
    let mut i = 0;
    while i < text.len() {
        #[allow(clippy::indexing_slicing)] // bounded by the loop
        let byte = text[i];
        hash = (hash ^ byte as u32).wrapping_mul(0x0100_0193);
        i += 1;
    }
    (hash ^ (hash >> 15)) as usize
}

#[allow(clippy::indexing_slicing)] // runs at compile time only
const fn build_table() -> [u16; SLOTS] {
    let mut table = [0; SLOTS];
    let mut i = 0;
    while i < Word::TEXTS.len() {
        let mut slot = hash(Word::TEXTS[i].as_bytes()) % SLOTS;
        while table[slot] != 0 {
            slot = (slot + 1) % SLOTS;
        }
        table[slot] = i as u16 + 1;
        i += 1;
    }
    table
}

impl Word {
    /// No word is longer, so longer strings need no look-up.
    const LONGEST: usize = 32;

    /// The word that `text` spells, or [`Word::Unknown`].
    pub fn of(text: &[u8]) -> Word {
        if text.len() > Word::LONGEST {
            return Word::Unknown;
        }
        let mut slot = hash(text) % SLOTS;
        loop {
            match TABLE.get(slot).map(|number| usize::from(*number)) {
                None | Some(0) => return Word::Unknown,
                Some(number) => {
                    if let (Some(word), Some(known)) = (Word::ALL.get(number - 1), Word::TEXTS.get(number - 1))
                        && known.as_bytes() == text
                    {
                        return *word;
                    }
                }
            }
            slot = (slot + 1) % SLOTS;
        }
    }

    /// The word as it stands on the wire; empty for [`Word::Unknown`].
    pub fn text(self) -> &'static str {
        Word::TEXTS.get(self as usize).copied().unwrap_or("")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_found_and_nothing_else() {
        assert!(Word::ALL.len() * 2 <= SLOTS);
        for word in Word::ALL {
            assert_eq!(Word::of(word.text().as_bytes()), *word);
            assert!(word.text().len() <= Word::LONGEST, "{word:?}");
        }
        for other in ["", "rol", "roles", "Role", "__proto__", "constructor", "unknown_word"] {
            assert_eq!(Word::of(other.as_bytes()), Word::Unknown);
        }
    }
}
