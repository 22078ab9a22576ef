//! Fields that are written at the end of a stream, and lost if an error ends it.

use crate::model::Metadata;
use crate::run::{At, Place, Run, WarningCode};

/// The positions of fields that wait for the end.
#[derive(Default)]
pub struct Waiting(Vec<Place>);

impl Waiting {
    pub fn add(&mut self, run: &Run, at: At) {
        self.0.push(run.keep_place(at));
    }

    /// Adds the fields of the family, if they have content.
    pub fn add_family(&mut self, run: &mut Run, metadata: &Metadata, at: At) {
        let has_content = metadata.family_fields().iter().any(|member| !run.is_all_void(member.value));
        if has_content {
            let at = run.family_at(at);
            self.add(run, at);
        }
    }

    /// Warns about the fields that were lost.
    pub fn lose(&mut self, run: &mut Run) {
        for place in std::mem::take(&mut self.0) {
            let at = run.recall(&place);
            run.warn(WarningCode::FieldDropped, at, "this field is sent at the end, and an error occurred before");
        }
    }
}
