//! Splits the templates of call syntax into literals and placeholders.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TemplatePart {
    Fixed(&'static str),
    /// A placeholder: the letter after `%`.
    Value(char),
}

pub(super) fn parts(template: &'static str) -> impl Iterator<Item = TemplatePart> {
    let pieces = template.split('%').enumerate().flat_map(|(index, piece)| {
        let value = piece.chars().next().filter(|_| index > 0);
        let rest = piece.get(value.map_or(0, char::len_utf8)..).unwrap_or_default();
        [value.map(TemplatePart::Value), Some(TemplatePart::Fixed(rest))]
    });
    pieces.flatten().filter(|part| *part != TemplatePart::Fixed(""))
}
