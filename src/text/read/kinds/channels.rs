//! Calls that are messages with a header. [`super::super::messages`] reads them.

use super::kind::Kind;
use crate::text::formats::{Channels, Format};

impl Kind for Channels {
    fn messages(&'static self) -> Option<&'static Channels> {
        Some(self)
    }

    fn may_be(&'static self, text: &str, prefill: &str) -> bool {
        text.contains(self.channel) || prefill.contains(self.channel)
    }

    fn begins_message(&'static self, _format: &'static Format, start: &str, prefill: &str) -> bool {
        let markers = [self.start, self.channel, self.recipient];
        prefill.contains(self.start) || markers.iter().any(|one| !one.is_empty() && start.starts_with(one))
    }

    fn continued<'a>(&'static self, _format: &Format, prefill: &'a str) -> Option<&'a str> {
        Some(prefill.rfind(self.start).and_then(|at| prefill.get(at..)).unwrap_or_default())
    }
}
