//! Finds the tool that a call refers to.

use crate::nearest::nearest;

/// Prefixes that models add to names.
const PREFIXES: [&str; 3] = ["functions.", "functions:", "tools."];

/// Finds the registered name: an exact match, a match without prefix or control tokens, or a match that ignores case.
pub fn find<'n>(name: &str, names: &[&'n str]) -> Option<&'n str> {
    let exact = |name: &str| names.iter().copied().find(|known| *known == name);
    let plain = without_decoration(name);
    exact(name).or_else(|| exact(plain)).or_else(|| {
        let mut alike = names.iter().copied().filter(|known| known.eq_ignore_ascii_case(plain));
        let first = alike.next()?;
        alike.next().is_none().then_some(first)
    })
}

fn without_decoration(name: &str) -> &str {
    let name = name.split("<|").next().unwrap_or(name).trim();
    PREFIXES.iter().find_map(|prefix| name.strip_prefix(prefix)).unwrap_or(name)
}

/// The message to a model for an unknown tool name.
pub fn unknown(name: &str, names: &[&str]) -> String {
    let shown: String = name.chars().take(64).collect();
    let nearest = nearest(without_decoration(name), names);
    let advice = match (nearest, names) {
        (_, []) => "There are no tools: respond without one.".to_string(),
        (Some(nearest), names) => format!("Did you mean {nearest:?}? The tools are {}.", list_of_names(names)),
        (None, names) => format!("Use one of these tools: {}.", list_of_names(names)),
    };
    format!("there is no tool {shown:?}. {advice}")
}

/// Maximum number of names in the message.
const MAX_LISTED: usize = 100;

fn list_of_names(names: &[&str]) -> String {
    let shown = names.get(..MAX_LISTED).unwrap_or(names).join(", ");
    if names.len() > MAX_LISTED { format!("{shown}, …") } else { shown }
}
