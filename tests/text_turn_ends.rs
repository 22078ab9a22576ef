//! Tokens at the end of a text that end the turn of the model.
#![cfg(all(feature = "text", not(target_arch = "wasm32")))]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod text_support;

use text_support::calls::{outcome, weather, written};
use toolwire::text::formats::{self, Body};

/// Tokens that end a turn, which libraries have in the text if they decode all tokens.
const TURN_ENDS: [&str; 6] =
    ["<|im_end|>", "<|im_end|>\n<|endoftext|>", "<turn|>", "<｜end▁of▁sentence｜>", "<|eot_id|>\n", "<|end|>"];

#[test]
fn a_token_that_ends_the_turn_is_no_text() {
    let mut count = 0;
    for format in formats::all().filter(|format| !matches!(format.body, Body::Channels(_))) {
        let call = written(format, &[weather()]);
        for end in TURN_ENDS {
            for text in ["", "Hello.", "Hello", "- one\n- two\n", "Hello. "] {
                let found = outcome(format, &[text, end].concat());
                assert_eq!(
                    (found.text.trim_end(), found.calls.len()),
                    (text.trim_end(), 0),
                    "{}: {text}{end}",
                    format.id
                );
                assert_eq!(found.invalid, [], "{}: {text}{end}", format.id);
                count += 1;
            }
            for text in call.iter() {
                let found = outcome(format, &[text, end].concat());
                assert_eq!((&*found.text, &*found.calls), ("", &[weather()][..]), "{}: {text}{end}", format.id);
                count += 1;
            }
        }
    }
    assert!(count > 1_500, "{count} texts");
}

#[test]
fn a_token_that_ends_the_turn_is_text_in_a_sentence() {
    let texts = [
        "ChatML ends a turn with <|im_end|>",
        "The token is:\n<|im_end|>",
        "Both <|im_start|>, <|im_end|>",
        "The token `<|im_end|>` ends a turn.",
        "a <|im_end|> b",
        "a<|im_end|>b",
        "a <|im_e",
        "<|im_end|",
    ];
    for format in formats::all().filter(|format| !matches!(format.body, Body::Channels(_))) {
        for text in texts {
            assert_eq!(outcome(format, text).text, text, "{}", format.id);
        }
    }
}
