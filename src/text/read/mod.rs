//! Reads text that contains calls, at once or incrementally. Both emit the same events.

mod block;
mod call;
mod detect;
mod digits;
mod event;
mod fields;
mod guess;
mod header;
mod kinds;
mod lost;
mod markers;
mod messages;
mod names;
mod next_call;
mod noise;
mod object;
mod out;
mod part;
mod place;
mod progress;
mod prompt;
mod python;
mod reader;
mod reasoning;
mod resume;
mod salvage;
mod scan;
mod state;
mod text_markers;
mod typed;
mod unmarked;

pub use detect::detect;
pub use event::{Event, Verbatim};
pub use object::ObjectReader;
pub(super) use object::decoded;
pub use reader::{Reader, read, read_calls};
