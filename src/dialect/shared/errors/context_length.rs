//! Errors about requests that are too long for the model. Most providers state them in the message only, and agents act on the words of their own
//! provider, so both are data: the sentences of providers and servers, and those that each format uses.

use crate::model::{ChatError, ContextLength};
use crate::number::javascript;
use crate::run::{Reading, Run};
use crate::value::text::split_around;
use crate::value::{Value, Word};

/// Parts of messages in lower case, those with numbers first; the first one that matches counts. `{limit}`: the tokens that the model accepts;
/// `{requested}`: those of the request; `{}`: another number.
const SENTENCES: &[&str] = &[
    // Anthropic: https://platform.claude.com/docs/en/build-with-claude/context-windows
    "prompt is too long: {requested} tokens > {limit} maximum",
    "exceed context limit: {requested} + {} > {limit}",
    // OpenAI, and the servers that follow it: Groq, DeepSeek, OpenRouter, vLLM
    "maximum context length is {limit} tokens. however, your messages resulted in {requested} tokens",
    "maximum context length is {limit} tokens. however, you requested {requested} tokens",
    "maximum context length is {limit} tokens, however you requested {requested} tokens",
    "maximum context length is {limit} tokens. however, you requested about {requested} tokens",
    "maximum context length is {limit} tokens. however, your request has {requested} input tokens",
    "maximum context length is {limit} tokens and your request has {requested} input tokens",
    "maximum context length of {limit} tokens",
    // Google: https://ai.google.dev/gemini-api/docs/tokens
    "input token count ({requested}) exceeds the maximum number of tokens allowed ({limit})",
    "input token count is {requested} but model only supports up to {limit}",
    // xAI
    "maximum prompt length is {limit} but the request contains {requested} tokens",
    // Mistral
    "prompt contains {requested} tokens and {} draft tokens, too large for model with {limit} maximum context length",
    // SGLang
    "the input ({requested} tokens) is longer than the model's context length ({limit} tokens)",
    "requested token count exceeds the model's maximum context length of {limit} tokens",
    // GitHub Copilot
    "prompt token count of {requested} exceeds the limit of {limit}",
    // Moonshot
    "exceeded model token limit: {limit} (requested: {requested})",
    // Fireworks, Together
    "prompt is too long: {requested}, model maximum context length: {limit}",
    // llama.cpp
    "request ({requested} tokens) exceeds the available context size ({limit} tokens)",
    // without numbers, or with others
    "prompt is too long",
    "prompt too long",
    "exceeds the context window",
    "exceeds the available context size",
    "exceeds the maximum number of tokens allowed",
    "maximum context length",
    "maximum prompt length",
    "context length exceeded",
    "context window exceeded",
    "context window exceeds limit",
    "exceeds the model's context",
    "longer than the model's context length",
    "greater than the context length",
    "prompt exceeds max length",
    // Amazon Bedrock
    "input is too long for requested model",
    // Cohere
    "too many tokens: ",
    "reduce the length of the messages",
];

/// How a format says it: with both numbers, and without.
pub struct Words {
    pub counted: &'static str,
    pub plain: &'static str,
}

pub const OPENAI: &Words = &Words {
    counted: "This model's maximum context length is {limit} tokens. However, your messages resulted in {requested} tokens.",
    plain: "Your input exceeds the context window of this model",
};
pub const ANTHROPIC: &Words =
    &Words { counted: "prompt is too long: {requested} tokens > {limit} maximum", plain: "prompt is too long" };
pub const BEDROCK: &Words = &Words {
    counted: "Input is too long for requested model. prompt is too long: {requested} tokens > {limit} maximum",
    plain: "Input is too long for requested model.",
};
pub const GOOGLE: &Words = &Words {
    counted: "The input token count ({requested}) exceeds the maximum number of tokens allowed ({limit}).",
    plain: "The input token count exceeds the maximum number of tokens allowed",
};

/// Fields beside the message that state the numbers, as llama.cpp has them.
pub fn of_fields(run: &Run, fields: &Reading) -> ContextLength {
    let count = |word| fields.peek(word).and_then(|value| run.count(value));
    ContextLength { limit: count(Word::n_ctx), requested: count(Word::n_prompt_tokens) }
}

/// What a message states about the length of the request; none if it is about something else.
pub fn of_message(message: &str) -> Option<ContextLength> {
    // the sentences are at the start, and a body may be a whole page
    const LOOK: usize = 2000;
    let message: String = message.chars().take(LOOK).flat_map(char::to_lowercase).collect();
    SENTENCES.iter().find_map(|sentence| matched(&message, sentence))
}

/// The numbers in the place of a sentence's names.
fn matched(message: &str, sentence: &str) -> Option<ContextLength> {
    let mut found = ContextLength::default();
    let (start, mut pattern) = sentence.split_once('{').map_or((sentence, None), |(start, rest)| (start, Some(rest)));
    let (_, mut rest) = split_around(message, start)?;
    while let Some((name, after)) = pattern.and_then(|pattern| pattern.split_once('}')) {
        let (text, next) = after.split_once('{').map_or((after, None), |(text, next)| (text, Some(next)));
        let (number, tail) = number(rest)?;
        match name {
            "limit" => found.limit = Some(number),
            "requested" => found.requested = Some(number),
            _ => {}
        }
        rest = tail.strip_prefix(text)?;
        pattern = next;
    }
    Some(found)
}

/// A number at the start of a text, perhaps with separators.
fn number(text: &str) -> Option<(f64, &str)> {
    let end = text.find(|letter: char| !letter.is_ascii_digit() && letter != ',').unwrap_or(text.len());
    let (number, rest) = text.split_at_checked(end)?;
    // a comma that ends the number separates clauses
    let number_only = number.trim_end_matches(',');
    let rest = text.get(number_only.len()..).unwrap_or(rest);
    let digits: String = number_only.chars().filter(char::is_ascii_digit).collect();
    const LONGEST: usize = 15;
    let value = digits.parse::<u64>().ok().filter(|_| digits.len() <= LONGEST)?;
    Some((value as f64, rest))
}

/// The message of another format in the words of the target's. It stays if it has them already.
pub fn message_for(run: &mut Run, error: &ChatError, words: &Words) -> Value {
    let text = run.store.text(error.message).into_owned();
    let starts = |sentence: &str| text.starts_with(sentence.split('{').next().unwrap_or(sentence));
    if starts(words.counted) || starts(words.plain) {
        return error.message;
    }
    let ContextLength { limit, requested } = error.context_length;
    let written = match (limit, requested) {
        (Some(limit), Some(requested)) => {
            words.counted.replace("{limit}", &javascript(limit)).replace("{requested}", &javascript(requested))
        }
        _ => format!("{}: {text}", words.plain),
    };
    run.store.string(&written)
}
