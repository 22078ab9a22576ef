//! A whole request.

use super::common::{JsonSchema, Metadata};
use super::messages::Message;
use super::tools::{Tool, ToolChoice};
use crate::models::Effort;
use serde::{Deserialize, Serialize};
use serde_json::Number;

/// The structs with the settings, whose table is [`crate::settings`].
macro_rules! define {
    (request {
        $(#[$model_doc:meta])* (Model, $model_key:expr, $model:ident: $model_type:ty as $model_typescript:literal, $model_shape:expr)
        $($(#[$doc:meta])* ($variant:ident, $key:expr, $field:ident: $type:ty as $typescript:literal, $shape:expr $(, $default:literal)?))+
     }
     reasoning { $($(#[$inner_doc:meta])* ($inner:ident, $inner_key:expr, $inner_field:ident: $inner_type:ty as $inner_typescript:literal, $inner_shape:expr))+ }) => {
        /// A conversation, the tools and the settings. Settings that the target does not have are left out, with a warning.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
        #[cfg_attr(target_arch = "wasm32", tsify(type_params = "M = Message"))]
        #[serde(rename_all = "camelCase", deny_unknown_fields)]
        pub struct ChatRequest<M = Message> {
            $(#[$model_doc])*
            #[serde(skip_serializing_if = "Option::is_none")]
            pub $model: Option<$model_type>,
            /// The conversation, oldest message first.
            pub messages: Vec<M>,
            /// The tools that the model may call.
            #[serde(skip_serializing_if = "Option::is_none")]
            #[cfg_attr(target_arch = "wasm32", tsify(type = "(ToolDefinition | NativeTool)[]"))]
            pub tools: Option<Vec<Tool>>,
            $(
                $(#[$doc])*
                #[serde(skip_serializing_if = "Option::is_none")]
                #[cfg_attr(target_arch = "wasm32", tsify(type = $typescript))]
                pub $field: Option<$type>,
            )+
            #[serde(skip_serializing_if = "Option::is_none")]
            pub metadata: Option<Metadata>,
        }

        impl<M> Default for ChatRequest<M> {
            fn default() -> ChatRequest<M> {
                ChatRequest { $model: None, messages: Vec::new(), tools: None, $($field: None,)+ metadata: None }
            }
        }

        /// How much the model reasons, as an effort or as a budget: providers accept one or the other.
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        #[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
        #[serde(rename_all = "camelCase", deny_unknown_fields)]
        pub struct ReasoningSettings {
            $(
                $(#[$inner_doc])*
                #[serde(skip_serializing_if = "Option::is_none")]
                #[cfg_attr(target_arch = "wasm32", tsify(type = $inner_typescript))]
                pub $inner_field: Option<$inner_type>,
            )+
        }
    };
}
crate::settings!(define);

/// The length of the response.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "lowercase")]
pub enum Verbosity {
    Low,
    Medium,
    High,
}

/// The format of the response's text: any text, any JSON, or JSON that matches a schema.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(tag = "type", rename_all = "camelCase", deny_unknown_fields)]
pub enum ResponseFormat {
    Text {},
    Json {},
    JsonSchema {
        #[serde(skip_serializing_if = "Option::is_none")]
        name: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        description: Option<String>,
        schema: JsonSchema,
        #[serde(skip_serializing_if = "Option::is_none")]
        strict: Option<bool>,
    },
}
