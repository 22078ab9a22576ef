//! Templates, in which `%` and a letter are a placeholder.

/// Fills in a template. A placeholder without a value is kept.
pub(super) fn fill(template: &str, values: &[(char, &str)]) -> String {
    let mut out = String::with_capacity(template.len() + values.iter().map(|(_, value)| value.len()).sum::<usize>());
    let mut parts = template.split('%');
    out.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let value = part.chars().next().and_then(|letter| values.iter().find(|(name, _)| *name == letter));
        match value {
            Some((letter, value)) => {
                out.push_str(value);
                out.push_str(part.strip_prefix(*letter).unwrap_or_default());
            }
            None => {
                out.push('%');
                out.push_str(part);
            }
        }
    }
    out
}

/// The literal parts of a template, without leading and trailing line breaks.
pub(super) fn fixed(template: &str) -> impl Iterator<Item = &str> {
    template
        .split('%')
        .enumerate()
        .map(|(index, part)| if index == 0 { part } else { part.get(1..).unwrap_or_default() })
        .map(str::trim)
        .filter(|part| !part.is_empty())
}
