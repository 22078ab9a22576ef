//! Reads text that contains calls, at once or incrementally. Both emit the same events.

mod block;
mod call;
mod closed;
mod detect;
mod digits;
mod event;
mod fields;
mod following;
mod guess;
mod header;
mod hidden;
mod kinds;
mod lost;
mod markers;
mod message_header;
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
mod ranges;
mod reader;
mod reasoning;
mod recent;
mod resume;
mod salvage;
mod scan;
mod state;
mod text_markers;
mod turn_end;
mod typed;
mod unmarked;

pub use detect::detect;
pub use event::{Event, Verbatim};
pub use object::ObjectReader;
pub(super) use object::decoded;
#[doc(hidden)]
pub use ranges::{Ranges, TextPart};
#[doc(hidden)]
pub use reader::read_ranges;
pub use reader::{Reader, read, read_calls};
