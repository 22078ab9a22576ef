//! What both of Google's APIs for generation accept in contents: media, and their own thoughts (WIRE §4.5, §4.9, §15).

use crate::fit::media::By;
use crate::model::{MediaKind, Reasoning};
use crate::run::Run;

/// Kind, way of passing, and media types, as [`AcceptedMedia`](crate::fit::media::AcceptedMedia) has them.
type MediaRow = (MediaKind, By, &'static [&'static str]);

/// All media, inline and by their URI; images of these types only.
pub const fn media(images: &'static [&'static str]) -> [MediaRow; 8] {
    [
        (MediaKind::Image, By::Base64, images),
        (MediaKind::Image, By::Uri, images),
        (MediaKind::Audio, By::Base64, &[]),
        (MediaKind::Audio, By::Uri, &[]),
        (MediaKind::Video, By::Base64, &[]),
        (MediaKind::Video, By::Uri, &[]),
        (MediaKind::Document, By::Base64, &[]),
        (MediaKind::Document, By::Uri, &[]),
    ]
}

/// Whether these are thoughts of Google's models: only Google understands them and their signatures (Q200).
pub fn are_own_thoughts(run: &Run, item: &[Reasoning]) -> bool {
    let is_void = |part: &Reasoning| part.redacted.is_some() && part.text.is_none() && part.signature.is_none();
    item.iter().all(|part| run.route.leads_to(part.issuer) && !is_void(part))
}
