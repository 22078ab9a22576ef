//! Reasoning in every format: markers that models repeat or leave out, and what the prompt begins.
#![cfg(all(feature = "text", not(target_arch = "wasm32")))]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod text_support;

use text_support::calls::{Outcome, tools, weather, written};
use text_support::reading::pieces_after;
use toolwire::text::formats::{self, Format};
use toolwire::text::read::{Event, Reader, read};

fn reasoning(events: &[Event]) -> String {
    let texts = events.iter().filter_map(|event| match event {
        Event::Reasoning { text, .. } => Some(text.as_str()),
        _ => None,
    });
    texts.collect()
}

/// What is read after a prompt that ends with `prefill`: reasoning, and the calls. The same whole, and in pieces.
fn found(format: &'static Format, prefill: &str, text: &str) -> (String, Outcome) {
    let events = read(format, tools(), prefill, "", text);
    for sizes in [&[1][..], &[3, 1, 7]] {
        let pieces = pieces_after(format, tools(), prefill, text, sizes);
        let [whole, pieces] = [&events, &pieces].map(|events| (reasoning(events), Outcome::of(events)));
        assert_eq!(pieces, whole, "{}: {prefill:?} {text:?}", format.id);
    }
    (reasoning(&events), Outcome::of(&events))
}

#[test]
fn calls_follow_reasoning_whose_markers_are_repeated_or_left_out() {
    let mut count = 0;
    for format in formats::all() {
        let Some(call) = written(format, &[weather()]) else { continue };
        for pair in format.reasoning {
            let (open, close) = (pair.open, pair.close);
            let texts = [
                ("", format!("{open}Think.{close}{call}")),
                ("", format!("{open}{open}Think.{close}{call}")),
                ("", format!("{open}Think.{close}{close}{call}")),
                ("", format!("{open}Think.\n{call}")),
                (open, format!("Think.{close}{call}")),
                (open, format!("{open}Think.{close}{call}")),
                (open, format!("Think.\n{call}")),
            ];
            for (prefill, text) in texts {
                let (reasoning, outcome) = found(format, prefill, &text);
                let result = (reasoning.trim(), outcome.text.trim(), outcome.calls.as_slice());
                assert_eq!(result, ("Think.", "", &[weather()][..]), "{}: {prefill:?} {text:?}", format.id);
                count += 1;
            }
            for (prefill, text) in
                [("", format!("{open}{close}{call}")), (open, call.clone()), (open, format!("\n{call}"))]
            {
                let (reasoning, outcome) = found(format, prefill, &text);
                let result = (reasoning.trim(), outcome.text.trim(), outcome.calls.as_slice());
                assert_eq!(result, ("", "", &[weather()][..]), "{}: {prefill:?} {text:?}", format.id);
            }
        }
    }
    assert!(count >= 490, "{count} texts");
}

/// A call that the reasoning only considers is followed by its end, or by words.
#[test]
fn calls_within_reasoning_are_reasoning() {
    for format in formats::all() {
        let Some(call) = written(format, &[weather()]) else { continue };
        // in one row, the same marker ends reasoning and calls
        for pair in format.reasoning.iter().filter(|pair| pair.close != format.call.close) {
            let (open, close) = (pair.open, pair.close);
            for text in [format!("{open}Try\n{call}\nor not.{close}Hello."), format!("{open}Try\n{call}\nor not.")] {
                let (_, outcome) = found(format, "", &text);
                assert!(outcome.calls.is_empty() && outcome.invalid.is_empty(), "{}: {text:?} {outcome:?}", format.id);
            }
        }
    }
}

/// A marker between quotation marks or backticks ends no reasoning.
#[test]
fn reasoning_may_name_the_marker_that_ends_it() {
    let mut count = 0;
    for format in formats::all() {
        let call = written(format, &[weather()]).unwrap_or_default();
        for pair in format.reasoning {
            let (open, close) = (pair.open, pair.close);
            for mark in ['`', '"', '\''] {
                let thought = format!("The {mark}{}{mark} tag ends it, as {mark}</x>{mark} does.", close.trim());
                let (reasoning, outcome) = found(format, "", &format!("{open}{thought}{close}{call}"));
                let calls = if call.is_empty() { vec![] } else { vec![weather()] };
                let result = (reasoning.trim(), outcome.text.trim(), outcome.calls);
                assert_eq!(result, (&*thought, "", calls), "{}: {open}{thought}{close}{call:?}", format.id);
                count += 1;
            }
        }
    }
    assert!(count >= 200, "{count} texts");
}

/// A quotation that ends with the reasoning, and one that begins the answer, are not around its marker.
#[test]
fn reasoning_ends_between_two_quotations() {
    for format in formats::all() {
        for pair in format.reasoning {
            for mark in ['`', '"', '\''] {
                let (thought, answer) = (format!("I say {mark}Yes.{mark}"), format!("{mark}Yes.{mark} is my answer."));
                let text = format!("{}{thought}{}{answer}", pair.open, pair.closer());
                let (reasoning, outcome) = found(format, "", &text);
                assert_eq!((reasoning.trim(), outcome.text.trim()), (&*thought, &*answer), "{}: {text:?}", format.id);
            }
        }
    }
}

/// Only what may be a call waits for the end of the reasoning.
#[test]
fn lines_of_reasoning_that_begin_no_call_are_not_held_back() {
    for format in formats::all() {
        for pair in format.reasoning {
            let mut reader = Reader::new(format, tools(), "", "");
            let text = format!("{}One.\n[1] Two.\n{{ x }}\n```python\nprint(1)\n```\nget\nThree, four.", pair.open);
            let read = reasoning(&reader.push(&text));
            assert!(read.ends_with("four."), "{}: {read:?}", format.id);
        }
    }
}

#[test]
fn the_header_of_the_turn_in_the_prompt_is_no_text() {
    let headers = ["<|im_start|>assistant\n", "<beginning_of_sentence>ai name=assistant\n", "<start_of_turn>model\n"];
    for format in formats::all() {
        for header in headers {
            let (_, outcome) = found(format, header, "Hello");
            assert_eq!((&*outcome.text, outcome.calls.len()), ("Hello", 0), "{}: {header:?}", format.id);
        }
    }
}
