//! The markers of all formats, which must not occur in text that isn't a call.

/// Prefixes of markers of any format, including those of turns and reasoning.
const MARKERS: &[&str] = &[
    "<|",
    "<｜",
    "</｜",
    "<tool",
    "</tool",
    "<function",
    "</function",
    "<parameter",
    "</parameter",
    "<param ",
    "</param>",
    "<param_",
    "</param_",
    "<invoke",
    "</invoke",
    "<arg_",
    "</arg_",
    "<think",
    "</think",
    "<seed:",
    "</seed:",
    "<minimax:",
    "</minimax:",
    "<dots_",
    "</dots_",
    "<steptml:",
    "</steptml:",
    "<rfl:",
    "</rfl:",
    "<atem:",
    "</atem:",
    "<co>",
    "</co:",
    "<cofl:",
    "</cofl:",
    "<longcat",
    "</longcat",
    "<TOOL",
    "</TOOL",
    "<escape>",
    "<start_",
    "<end_",
    "<turn",
    "<channel|",
    "<response",
    "</response",
    "<result",
    "</result",
    "<answer>",
    "</answer>",
    "<0x0A>",
    "<s>",
    "</s>",
    "<SPECIAL_",
    "<ifm",
    "</ifm",
    "<iquest",
    "</iquest",
    "<im_",
    "<_end>",
    "<_user>",
    "<_bot>",
    "<_system>",
    "<_observation>",
    "<![CDATA[",
    "[TOOL",
    "[/TOOL",
    "[ARGS]",
    "[CALL_ID]",
    "[INST]",
    "[/INST]",
    "[THINK]",
    "[/THINK]",
    "[AVAILABLE_TOOLS]",
    "[END_TOOL",
    "[SYSTEM_PROMPT]",
    "[BEGIN FINAL",
    "[END FINAL",
    "<mm:",
    "</mm:",
    "[gMASK]",
    "]<]minimax",
    "]~b]",
    "]~!b[",
    "[e~[",
    "functools[",
    "```",
    ">>>",
    "to=functions",
    "Action:",
    "Action Input:",
    "Observation:",
    "Final Answer:",
    "助手：",
];

/// Keys that make a JSON object look like a call.
const CALL_KEYS: &[&str] =
    &["arguments", "parameters", "args", "tool_name", "tool_call", "tool_calls", "action_input", "function"];

/// The positions of markers, and of characters that could turn the text into a call.
fn spots(text: &str) -> impl Iterator<Item = usize> {
    let json_call = has_call_key(text);
    text.char_indices()
        .filter(move |&(at, c)| {
            let rest = text.get(at..).unwrap_or_default();
            match c {
                '{' => json_call,
                '[' if is_python_list(rest) => true,
                'c' => is_literal_call(rest),
                '<' | '[' | ']' | '>' | '`' | 'f' | 't' | 'A' | 'O' | 'F' | '助' => {
                    MARKERS.iter().any(|marker| rest.starts_with(marker))
                }
                _ => false,
            }
        })
        .map(|(at, _)| at)
}

/// Whether the text could be read as a call, as reasoning or as the end of a turn.
pub(super) fn has_marker(text: &str) -> bool {
    spots(text).next().is_some()
}

/// Whether a marker begins in the first text and ends in the second, which follows it.
pub(super) fn is_at_joint(before: &str, after: &str) -> bool {
    let begins = |(at, _)| {
        let head = before.get(at..).unwrap_or_default();
        MARKERS
            .iter()
            .any(|marker| marker.strip_prefix(head).is_some_and(|rest| !rest.is_empty() && after.starts_with(rest)))
    };
    let longest = MARKERS.iter().map(|marker| marker.len()).max().unwrap_or(0);
    before.char_indices().rev().take(longest).any(begins)
}

/// Equivalent JSON text whose strings contain no marker, using escapes.
pub(super) fn mask_json(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    let mut from = 0;
    for at in spots(json) {
        let Some(c) = json.get(at..).and_then(|rest| rest.chars().next()) else { continue };
        out.push_str(json.get(from..at).unwrap_or_default());
        out.push_str(&format!("\\u{:04x}", u32::from(c)));
        from = at + c.len_utf8();
    }
    out.push_str(json.get(from..).unwrap_or_default());
    out
}

/// Whether JSON text contains an object that looks like a call.
pub(super) fn has_call_key(text: &str) -> bool {
    text.contains('{')
        && CALL_KEYS.iter().any(|key| {
            text.match_indices(key).any(|(at, _)| {
                let before = text.get(..at).unwrap_or_default().chars().next_back();
                let after = text.get(at + key.len()..).unwrap_or_default().chars().next();
                matches!(before, Some('"' | '\'')) && matches!(after, Some('"' | '\'' | '\\'))
            })
        })
}

/// Whether the text has the form `[name(`.
fn is_python_list(text: &str) -> bool {
    is_name_before(text.get(1..).unwrap_or_default().trim_start(), &['_', '.', '-'], '(')
}

/// Whether the text has the form `call:name{`.
fn is_literal_call(text: &str) -> bool {
    text.strip_prefix("call:").is_some_and(|rest| is_name_before(rest, &['_', '.', '-', ':', '/'], '{'))
}

fn is_name_before(text: &str, others: &[char], bracket: char) -> bool {
    let name = text.find(|c: char| !(c.is_alphanumeric() || others.contains(&c))).unwrap_or(text.len());
    name > 0 && text.get(name..).is_some_and(|rest| rest.trim_start().starts_with(bracket))
}
