//! Reading in pieces.

use toolwire::text::Tool;
use toolwire::text::formats::Format;
use toolwire::text::read::{Event, Reader};

/// The events of a text that is split into pieces of these numbers of characters, repeated in order.
pub fn in_pieces(format: &'static Format, tools: Vec<Tool>, text: &str, sizes: &[usize]) -> Vec<Event> {
    pieces_after(format, tools, "", text, sizes)
}

/// The same after a prompt that ends with `prefill`.
pub fn pieces_after(
    format: &'static Format,
    tools: Vec<Tool>,
    prefill: &str,
    text: &str,
    sizes: &[usize],
) -> Vec<Event> {
    let mut reader = Reader::new(format, tools, prefill, "");
    let (mut events, mut rest) = (Vec::new(), text);
    for size in sizes.iter().cycle() {
        if rest.is_empty() {
            break;
        }
        let end = rest.char_indices().nth(*size).map_or(rest.len(), |(at, _)| at);
        let (piece, after) = rest.split_at(end);
        events.extend(reader.push(piece));
        rest = after;
    }
    events.extend(reader.end());
    events
}

/// The same events with the fragments of each text, reasoning and call joined.
pub fn normalised(events: &[Event]) -> Vec<Event> {
    let mut joined: Vec<Event> = Vec::new();
    for event in events {
        match (joined.last_mut(), event) {
            (Some(Event::Text { block: last, text }), Event::Text { block, text: more })
            | (Some(Event::Reasoning { block: last, text }), Event::Reasoning { block, text: more })
            | (Some(Event::CallDelta { block: last, text, .. }), Event::CallDelta { block, text: more, .. })
                if last == block =>
            {
                text.push_str(more);
            }
            _ => joined.push(event.clone()),
        }
    }
    joined
}
