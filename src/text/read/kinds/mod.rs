//! The kinds of bodies of calls: a file for each. The engine asks them by [`Kind`], and does not distinguish them otherwise.

mod channels;
pub(super) mod json;
pub(super) mod kind;
mod literal;
mod literals;
mod named;
mod nested;
mod nested_tags;
mod nested_value;
pub(super) mod python_calls;
mod python_list;
mod pythonic;
mod tagged;
mod tagged_value;
mod tags;
mod whole;

pub(super) use kind::{Bracket, Facts, Kind, PLAIN, Piece, Spot};

use super::call::{Opening, Origin, Standing};
use crate::text::formats::{Body, Format};

/// The kind of a format's body.
pub(super) fn of(format: &'static Format) -> &'static dyn Kind {
    match &format.body {
        Body::Json(body) => body,
        Body::Named(body) => body,
        Body::Tagged(body) => body,
        Body::Pythonic(body) => body,
        Body::Literal(body) => body,
        Body::Nested(body) => body,
        Body::Channels(body) => body,
        Body::None => &kind::NoCalls,
    }
}

/// What decides whether a text is a call of a format.
pub(super) fn origin(format: &'static Format, standing: Standing, opening: Opening) -> Origin {
    let Facts { is_common, is_json, .. } = of(format).facts();
    Origin { format, standing, opening, bare: is_common, is_json }
}
