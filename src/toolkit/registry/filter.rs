//! Filters for tools.

use super::super::error::{ErrorCode, Result};
use super::super::read::Fields;
use super::super::tool::Tool;
use crate::json::Value;
#[cfg(not(target_arch = "wasm32"))]
use serde::{Deserialize, Serialize};

/// Selects the tools that are shown to a model and that it may call.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(not(target_arch = "wasm32"), derive(Serialize, Deserialize))]
#[cfg_attr(not(target_arch = "wasm32"), serde(rename_all = "camelCase", default))]
pub struct ToolFilter {
    pub names: Option<Vec<String>>,
    pub categories: Option<Vec<String>>,
    /// Default true.
    pub exclude_dangerous: bool,
    pub max_cost_per_use: Option<f64>,
    /// Selects the tools that match this text best.
    pub relevant_to: Option<String>,
    /// The number of tools that `relevant_to` selects. Default 5.
    pub limit: usize,
}

impl Default for ToolFilter {
    fn default() -> Self {
        Self {
            names: None,
            categories: None,
            exclude_dangerous: true,
            max_cost_per_use: None,
            relevant_to: None,
            limit: 5,
        }
    }
}

impl ToolFilter {
    /// Reads a filter from JSON with camelCase names.
    ///
    /// # Errors
    /// `invalid_options` if a field is unknown or has the wrong type.
    pub fn from_json(value: &Value) -> Result<Self> {
        let known = ["names", "categories", "excludeDangerous", "maxCostPerUse", "relevantTo", "limit"];
        // A misspelled criterion would allow more tools than intended.
        let fields = Fields::of(value, "a filter", ErrorCode::InvalidOptions)?.only(&known)?;
        let all = Self::default();
        Ok(Self {
            names: fields.texts("names")?,
            categories: fields.texts("categories")?,
            exclude_dangerous: fields.flag("excludeDangerous")?.unwrap_or(all.exclude_dangerous),
            max_cost_per_use: fields.number("maxCostPerUse")?,
            relevant_to: fields.text("relevantTo")?,
            limit: fields.number("limit")?.map_or(all.limit, |limit| limit as usize),
        })
    }

    /// Whether the tool passes all criteria except relevance.
    pub fn allows(&self, tool: &Tool) -> bool {
        let named = self.names.as_ref().is_none_or(|names| names.contains(&tool.name));
        let in_category =
            |categories: &Vec<String>| tool.category.as_ref().is_some_and(|category| categories.contains(category));
        named
            && self.categories.as_ref().is_none_or(in_category)
            && !(self.exclude_dangerous && tool.dangerous)
            && self.max_cost_per_use.is_none_or(|max| tool.cost_per_use <= max)
    }
}
