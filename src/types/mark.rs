//! Types with a single value: the word that identifies the type of an object.

use serde::{Deserialize, Serialize};

macro_rules! mark {
    ($($name:ident $text:literal)+) => { $(
        #[doc = concat!("Always `\"", $text, "\"`.")]
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
        pub enum $name {
            #[default]
            #[serde(rename = $text)]
            Is,
        }
    )+ };
}

mark! {
    SystemRole "system"
    UserRole "user"
    AssistantRole "assistant"
    ToolRole "tool"
    Text "text"
    Data "data"
    Error "error"
    Multimodal "multimodal"
    Native "native"
    Refusal "refusal"
    Reasoning "reasoning"
    Call "toolCall"
}
