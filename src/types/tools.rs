//! Tools, and which of them a model may call.

use super::common::{JsonSchema, Metadata};
use super::mark;
use crate::run::Provider;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A tool that the caller runs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ToolDefinition {
    /// Every provider accepts up to 64 letters, digits, `_` and `-`. Other names are rewritten where necessary, with a warning.
    pub name: String,
    /// What the tool does and when to use it, for the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// JSON Schema of the arguments. If omitted, the tool has no arguments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parameters: Option<JsonSchema>,
    /// Whether the provider forces the arguments to match the schema. Omitted and false both mean "not strict", regardless of the target's
    /// own default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strict: Option<bool>,
    /// Example arguments: `input_examples` on Anthropic. On other targets they are left out with a warning, or become part of the
    /// description (the option `inputExamples`).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_arch = "wasm32", tsify(type = "Record<string, unknown>[]"))]
    pub input_examples: Option<Vec<serde_json::Map<String, Value>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Metadata>,
}

/// A provider-specific tool (web search, code execution, an MCP server, …), kept unchanged and in its position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NativeTool {
    #[cfg_attr(target_arch = "wasm32", tsify(type = "\"native\""))]
    pub r#type: mark::Native,
    /// The provider that runs it. For every other provider it is left out, with a warning.
    pub provider: Provider,
    /// The entry of the provider's `tools`, unchanged.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "unknown"))]
    pub value: Value,
}

/// An entry of `tools`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(untagged)]
pub enum Tool {
    Definition(ToolDefinition),
    Native(NativeTool),
}

/// Which tools the model may or must call: `"auto"` any or none, `"none"` none, `"required"` at least one, `{ name }` that one,
/// `{ allowed }` only these, or a provider-specific choice.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(untagged)]
pub enum ToolChoice {
    Simple(SimpleChoice),
    Named(NamedTool),
    Allowed(AllowedTools),
    Native(NativeChoice),
}

/// `"auto"`: the model decides. `"none"`: no calls. `"required"`: at least one call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub enum SimpleChoice {
    Auto,
    None,
    Required,
}

/// The model must call this tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct NamedTool {
    /// Name of a tool in `tools`.
    pub name: String,
}

/// The model may call only these tools.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct AllowedTools {
    /// Names of tools in `tools`. A target without allow-lists receives only these tools, with a warning.
    pub allowed: Vec<String>,
    /// `"required"`: the model must call one of them. Default `"auto"`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<ChoiceMode>,
}

/// `"auto"`: the model decides. `"required"`: at least one call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub enum ChoiceMode {
    Auto,
    Required,
}

/// A provider-specific choice.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct NativeChoice {
    pub provider: Provider,
    /// The provider's form of the choice, unchanged.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "unknown"))]
    pub native: Value,
}

/// Tools, tool choice and parallel control: the input of `toOpenAIToolConfig` and its counterparts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub struct ToolConfig {
    /// The model of the request. Some models do not accept every choice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_arch = "wasm32", tsify(type = "(ToolDefinition | NativeTool)[]"))]
    pub tools: Option<Vec<Tool>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_choice: Option<ToolChoice>,
    /// Whether the model may make several calls in one turn. Default: the provider's, which is true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parallel_tool_calls: Option<bool>,
}
