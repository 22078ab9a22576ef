//! The tools that names in a text refer to.

use crate::json::{Map, Value};
use crate::text::Tool;
use crate::text::formats::words::{NAMESPACE, TOKEN};
use std::sync::LazyLock;

static EMPTY: LazyLock<Map<String, Value>> = LazyLock::new(Map::new);

/// The parameters of a tool. Those of an undeclared one are empty.
pub(super) fn parameters<'a>(name: &str, tools: &'a [Tool]) -> &'a Map<String, Value> {
    tools.iter().find(|tool| tool.name == name).map_or(&*EMPTY, |tool| &tool.parameters)
}

/// The declared name of a tool, without prefixes and control tokens that models add.
pub(super) fn declared(name: &str, tools: &[Tool]) -> String {
    let name = name.trim();
    let known = |name: &str| tools.iter().any(|tool| tool.name == name);
    let cut = name.split(TOKEN.open).next().unwrap_or(name).trim();
    let short = cut.strip_prefix(NAMESPACE).unwrap_or(cut);
    if known(name) || tools.is_empty() {
        return if tools.is_empty() && !cut.is_empty() { short.to_owned() } else { name.to_owned() };
    }
    if known(cut) || !known(short) && !tools.iter().any(|tool| tool.name.eq_ignore_ascii_case(short)) {
        // namespaces precede the name, which may contain their separators itself
        let parts = cut.match_indices(['.', ':', '/']).filter_map(|(at, one)| cut.get(at + one.len()..));
        let own = if known(cut) { None } else { parts.into_iter().find(|part| known(part)) };
        return own.unwrap_or(cut).to_owned();
    }
    let mut same = tools.iter().filter(|tool| tool.name.eq_ignore_ascii_case(short));
    match (same.next(), same.next()) {
        (Some(one), None) => one.name.clone(),
        _ => short.to_owned(),
    }
}

/// Whether a call without arguments at the end of the text, where the model writes `{}`, may lack them: it is of no other tool than a declared
/// one without parameters.
pub(super) fn may_be_empty(name: &str, tools: &[Tool]) -> bool {
    let has_none = |tool: &Tool| tool.parameters.get("properties").and_then(Value::as_object).is_none_or(Map::is_empty);
    tools.is_empty() || tools.iter().any(|tool| tool.name == name && has_none(tool))
}
