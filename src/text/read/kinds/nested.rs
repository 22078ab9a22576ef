//! Calls with one element per argument, named after the argument (MiniMax M3).

use super::kind::{Facts, Kind, Spot};
use super::whole::{Notation, Scan, WholeBody};
use crate::text::Tool;
use crate::text::formats::Nested;
use crate::text::formats::words::NAME_ATTRIBUTE;
use crate::text::read::call::{Call, CallBody, Found};
use crate::text::read::names::{declared, parameters};
use crate::text::read::scan::Text;

impl Kind for Nested {
    fn facts(&'static self) -> Facts {
        Facts { openers: [self.prefix, ""], open: self.open, close: self.close, is_sectioned: true, ..Facts::default() }
    }

    fn start(&'static self, _call: &mut Call) -> Box<dyn CallBody> {
        WholeBody::start(self)
    }

    fn opener(&'static self, _spot: Spot) -> &'static str {
        self.open
    }
}

impl Notation for Nested {
    fn end(&self, scan: &mut Scan, call: &mut Call, text: Text) -> Option<usize> {
        scan.tags(call, text, self)
    }

    fn calls(&self, body: &str, tools: &[Tool]) -> Option<Vec<Found>> {
        let inner = body.strip_suffix(self.close)?;
        let (head, _) = inner.split_once('>').filter(|_| inner.starts_with(self.prefix))?;
        let head_end = inner.find("\">").unwrap_or(head.len());
        // a second tag shows that the first one breaks off
        let head = inner.get(..head_end).filter(|head| head.matches(self.open).count() == 1)?;
        let name = head.rsplit(NAME_ATTRIBUTE).next()?.trim_matches('"').to_owned();
        let name = declared(&name, tools);
        let arguments = super::nested_tags::object(inner.get(head_end..)?, self, parameters(&name, tools))?;
        Some(vec![(name, arguments)])
    }
}
