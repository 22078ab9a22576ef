//! Carries Google's signatures of calls through clients whose format has no place for them: in call ids, which clients return unchanged. Gemini
//! rejects a later request that has the call without its signature.

use crate::model::{CARRIED_SIGNATURE, Call, Message, Request};
use crate::run::{Run, WarningCode};
use crate::value::Value;

/// Moves the signature of a response's call into its id.
pub fn carry(run: &mut Run, call: &mut Call) {
    let Some(signature) = call.metadata.thought_signature().filter(|_| is_carried(run)) else { return };
    call.metadata.forget_thought_signature();
    let mut id = run.store.owned_text(call.id);
    id.push_str(CARRIED_SIGNATURE);
    encode(&run.store.text(signature), &mut id);
    call.id = run.store.string(&id);
}

/// Handles the end of a call whose start was written: its id can't carry a signature any more.
pub fn end(run: &mut Run, call: &mut Call, was_carried: bool) {
    if call.metadata.thought_signature().is_none() || !is_carried(run) {
        return;
    }
    call.metadata.forget_thought_signature();
    if !was_carried {
        let message =
            "the signature arrived after the call's id, which was to carry it: Gemini requires it with the call";
        run.warn(WarningCode::ReasoningDropped, call.at, message);
    }
}

fn is_carried(run: &Run) -> bool {
    run.route.to.format().limits.can_carry_signatures()
}

/// Extracts the signatures from the ids of a request's calls and results.
pub fn recover(run: &mut Run, request: &mut Request) {
    if run.route.from.format().signatures {
        return;
    }
    for message in &mut request.messages {
        match message {
            Message::Assistant(assistant) => {
                for call in assistant.calls_mut() {
                    let Some((id, signature)) = split(run, call.id) else { continue };
                    call.id = id;
                    if call.metadata.thought_signature().is_none() {
                        call.metadata.set_thought_signature(signature);
                    }
                }
            }
            Message::Tool(result) => result.id = split(run, result.id).map_or(result.id, |(id, _)| id),
            Message::System(_) | Message::User(_) => {}
        }
    }
}

/// Splits an id into the original id and the signature.
fn split(run: &mut Run, id: Value) -> Option<(Value, Value)> {
    let text = run.store.text(id);
    if text.len() <= CARRIED_SIGNATURE.len() {
        return None;
    }
    // an encoded signature has no `_`, so the last `_` ends the mark
    let end = text.bytes().rposition(|byte| byte == b'_')? + 1;
    let (marked, carried) = text.split_at_checked(end)?;
    let own = marked.strip_suffix(CARRIED_SIGNATURE)?;
    let (own, signature) = (own.to_owned(), decode(carried)?);
    drop(text);
    Some((run.store.string(&own), run.store.string(&signature)))
}

/// Appends `signature`, encoded in letters, digits and `-`, which all formats accept in ids. It has no `_`, so that the mark before it can be found.
/// Most signatures are base64, which hardly becomes longer.
fn encode(signature: &str, id: &mut String) {
    for character in signature.chars() {
        match character {
            '+' => id.push_str("-p"),
            '/' => id.push_str("-s"),
            '=' => id.push_str("-e"),
            '_' => id.push_str("-u"),
            '-' => id.push_str("-d"),
            plain if plain.is_ascii_alphanumeric() => id.push(plain),
            other => {
                id.push_str("-x");
                for digit in (0..6).rev() {
                    id.extend(char::from_digit((u32::from(other) >> (4 * digit)) & 15, 16));
                }
            }
        }
    }
}

/// Decodes what [`encode`] wrote; None for anything else.
fn decode(carried: &str) -> Option<String> {
    let mut signature = String::with_capacity(carried.len());
    let mut rest = carried.chars();
    while let Some(character) = rest.next() {
        signature.push(match character {
            '-' => match rest.next()? {
                'p' => '+',
                's' => '/',
                'e' => '=',
                'u' => '_',
                'd' => '-',
                'x' => {
                    let mut code = 0;
                    for _ in 0..6 {
                        code = code << 4 | rest.next()?.to_digit(16)?;
                    }
                    char::from_u32(code)?
                }
                _ => return None,
            },
            plain if plain.is_ascii_alphanumeric() => plain,
            _ => return None,
        });
    }
    (!signature.is_empty()).then_some(signature)
}

#[cfg(test)]
mod tests {
    use super::{decode, encode};

    #[test]
    fn every_signature_comes_back() {
        for signature in ["CvQBAVSoXO4+/w==", "skip_thought_signature_validator", "a-b_c", "é🌦\u{0}\"", "x"] {
            let mut carried = String::new();
            encode(signature, &mut carried);
            assert!(carried.chars().all(|character| character.is_ascii_alphanumeric() || character == '-'));
            assert_eq!(decode(&carried).as_deref(), Some(signature));
        }
        for other in ["", "a_b", "-", "-q", "-x12", "-xd80000", "a b"] {
            assert_eq!(decode(other), None);
        }
    }
}
