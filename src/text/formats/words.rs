//! What models write in any format, beside the markers of its row: the engine reads these words wherever the row has no others.

use super::{Pair, pair};

/// What special tokens begin and end with.
pub(crate) const TOKEN: Pair = pair("<|", "|>");

/// Tokens that end the turn of a model. Sources: the chat templates of the models, and the end tokens of their tokenizers.
pub(crate) const TURN_ENDS: [&str; 20] = [
    // ChatML: Qwen, Hermes, Kimi K2, LFM2
    "<|im_end|>",
    "<|endoftext|>",
    // Phi
    "<|end|>",
    // Llama 3
    "<|eot_id|>",
    "<|eom_id|>",
    // Llama 4
    "<|eot|>",
    "<|eom|>",
    // Granite
    "<|end_of_text|>",
    // GLM, where they begin the next turn
    "<|user|>",
    "<|observation|>",
    // Gemma 2 and 3
    "<end_of_turn>",
    // Gemma 4, after an answer and after a call
    "<turn|>",
    "<|tool_response>",
    // DeepSeek
    "<｜end▁of▁sentence｜>",
    // Hunyuan 3
    "<｜hy_eos:opensource｜>",
    // Seed-OSS
    "<seed:eos>",
    // Apertus
    "<|assistant_end|>",
    // Nemotron Nano 2
    "<SPECIAL_12>",
    // Xing 4
    "<_end>",
    // MiniMax M1
    "<end_of_sentence>",
];

/// Around verbatim text in elements.
pub(crate) const CDATA: Pair = pair("<![CDATA[", "]]>");

/// Around code and comments in HTML.
pub(crate) const ELEMENTS: [Pair; 3] = [pair("<code>", "</code>"), pair("<pre>", "</pre>"), pair("<!--", "-->")];

/// The attribute with the name of the tool in elements.
pub(crate) const NAME_ATTRIBUTE: &str = "name=";

/// The prefix of the names of tools.
pub(crate) const NAMESPACE: &str = "functions.";

/// The roles of the model in prompts, before its turn.
pub(crate) const MODEL_ROLES: [&str; 3] = ["assistant", "model", "ai"];

/// Roles of messages, and other words that models write in headers.
pub(crate) const HEADER_WORDS: [&str; 8] = ["assistant", "system", "developer", "user", "tool", "json", "code", "text"];

/// Keys of calls that are JSON objects: of the name, of the arguments, of an object with both or of the name, of a list of calls, and those
/// without meaning.
pub(crate) const NAME_KEYS: [&str; 2] = ["name", "tool_name"];
pub(crate) const ARGUMENT_KEYS: [&str; 3] = ["arguments", "parameters", "args"];
pub(crate) const CALL_KEYS: [&str; 3] = ["function", "tool", "tool_call"];
pub(crate) const CALLS_KEY: &str = "tool_calls";
pub(crate) const OTHER_KEYS: [&str; 3] = ["id", "type", "index"];

/// What precedes a name, in any notation. A key may lack a quote.
pub(crate) const BEFORE_NAME: [&str; 12] = [
    "\"name\"",
    "\"name:",
    "name\":",
    "'name'",
    "\"tool_name\"",
    "\"function\"",
    "\"tool\"",
    "name=",
    "tool=",
    "function=",
    "call:",
    NAMESPACE,
];

/// What precedes arguments that are JSON.
pub(crate) const BEFORE_ARGUMENTS: [&str; 6] =
    ["\"arguments\"", "\"parameters\"", "\"args\"", "'arguments'", "'parameters'", "\"input\""];
