//! Carries Google's signatures of calls through clients whose format has no place for them: in an envelope before the call that names it, or in
//! call ids, which all clients return unchanged. Gemini rejects a later request that has the call without its signature.

use super::envelope::{Envelope, Issuer};
use super::opened::{envelope_of, has_mark};
use crate::format::Opaque;
use crate::model::{
    Add, Assistant, Block, CARRIED_SIGNATURE, Call, Content, Media, Message, Metadata, Reasoning, Request,
};
use crate::run::{At, Key, Provider, Run, WarningCode};
use crate::value::text::base64;
use crate::value::{Value, Word};

/// Moves the signatures of a response's calls into envelopes before them.
pub fn seal_all(run: &mut Run, message: &mut Assistant) {
    let is_signed = |call: &Call| call.metadata.thought_signature().is_some();
    if !has_envelopes(run) || !message.calls().any(is_signed) {
        return;
    }
    let content = std::mem::replace(&mut message.content, Content::Blocks(Vec::new()));
    let calls = std::mem::take(&mut message.calls).into_iter().map(Block::Call);
    let mut blocks = Vec::new();
    for mut block in content.into_blocks().into_iter().chain(calls) {
        if let Block::Call(call) = &mut block {
            blocks.extend(seal(run, call));
        }
        blocks.add(block);
    }
    message.content = Content::Blocks(blocks);
}

/// Moves the signature of a call into an envelope.
pub fn seal(run: &mut Run, call: &mut Call) -> Option<Block> {
    let signature = call.metadata.thought_signature().filter(|_| has_envelopes(run))?;
    let own = run.route.to.provider()?;
    call.metadata.forget_thought_signature();
    let issuer = Issuer::of(Provider::signing_calls(), None);
    let call_id = run.store.owned_text(call.id);
    let envelope = Envelope { call: Some(call_id), ..Envelope::new(issuer, run.store.owned_text(signature)) };
    let sealed = envelope.seal();
    let empty = Reasoning::empty(call.at, own);
    Some(Block::Reasoning(match run.route.to.format().opaque {
        Opaque::Base64 => Reasoning { signature: Some(run.store.string(&base64::encode(sealed.as_bytes()))), ..empty },
        _ => Reasoning { redacted: Some(run.store.string(&sealed)), ..empty },
    }))
}

/// Whether the target's clients return envelopes, but have no place for signatures of calls.
fn has_envelopes(run: &Run) -> bool {
    let format = run.route.to.format();
    matches!(format.opaque, Opaque::Text | Opaque::Base64) && !format.signatures
}

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

/// Moves envelopes of reasoning that a client of Google's format put on other parts into reasoning of their own before these: such clients keep a
/// signature, but not the part that had it (`genai` 0.7, google-genai-haystack 7.0).
pub fn lift(run: &mut Run, request: &mut Request) {
    if !run.route.from.format().signatures {
        return;
    }
    let provider = run.route.source_provider();
    for message in &mut request.messages {
        let Message::Assistant(assistant) = message else { continue };
        let Assistant { content, calls, .. } = assistant;
        if let Content::Blocks(blocks) = content {
            for mut block in std::mem::take(blocks) {
                let lifted = metadata_of(&mut block).and_then(|(metadata, at)| lifted(run, metadata, at, provider));
                blocks.extend(lifted);
                blocks.add(block);
            }
        }
        let lifted: Vec<Block> =
            calls.iter_mut().filter_map(|call| lifted(run, &mut call.metadata, call.at, provider)).collect();
        if !lifted.is_empty() {
            let mut blocks = std::mem::replace(content, Content::Blocks(Vec::new())).into_blocks();
            blocks.extend(lifted);
            *content = Content::Blocks(blocks);
        }
    }
}

/// Extracts the signatures of a request's calls, from envelopes and from ids.
pub fn recover(run: &mut Run, request: &mut Request) {
    if run.route.from.format().signatures {
        return;
    }
    open_all(run, request);
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

/// The metadata of a block that may have a signature of Google's.
fn metadata_of(block: &mut Block) -> Option<(&mut Metadata, At)> {
    match block {
        Block::Text { at, metadata, .. } => Some((metadata, *at)),
        Block::Media(Media { at, metadata, .. }) | Block::Call(Call { at, metadata, .. }) => Some((metadata, *at)),
        Block::Reasoning(_) | Block::Refusal { .. } | Block::Data { .. } | Block::Native(_) => None,
    }
}

/// The envelope on a part, as reasoning.
fn lifted(run: &mut Run, metadata: &mut Metadata, at: At, provider: Provider) -> Option<Block> {
    let signature = metadata.thought_signature().filter(|signature| has_mark(run, *signature))?;
    let part = Reasoning { signature: Some(signature), ..Reasoning::empty(at, provider) };
    envelope_of(run, &part)?;
    metadata.forget_thought_signature();
    Some(Block::Reasoning(part))
}

/// Reports the fields of an item that only had the signature of a call.
fn warn_item(run: &mut Run, item: Value, at: At) {
    for field in run.members(item).into_iter().filter(|field| !matches!(field.word, Word::id | Word::status)) {
        let at = run.down_key(at, Key::from(field));
        run.warn(WarningCode::FieldDropped, at, "the call that the state belongs to has no such field");
    }
}

/// Extracts the signatures from envelopes that name a call.
fn open_all(run: &mut Run, request: &mut Request) {
    let mut open: Vec<(Envelope, At, Metadata)> = Vec::new();
    for message in &mut request.messages {
        let Message::Assistant(assistant) = message else { continue };
        if let Content::Blocks(blocks) = &mut assistant.content {
            blocks.retain_mut(|block| {
                let Block::Reasoning(part) = block else { return true };
                let Some(envelope) = envelope_of(run, part).filter(|envelope| envelope.call.is_some()) else {
                    return true;
                };
                // a client may have joined it with the text of reasoning before it
                let text = part.text.filter(|text| !run.store.is_empty(*text));
                let joined = text.zip(envelope.issuer.provider);
                let mut rest = std::mem::take(&mut part.metadata);
                if let Some((text, issuer)) = joined {
                    *part =
                        Reasoning { metadata: std::mem::take(&mut rest), ..Reasoning::of_text(part.at, issuer, text) };
                }
                open.push((envelope, part.at, rest));
                joined.is_some()
            });
        }
        if open.is_empty() {
            continue;
        }
        for call in assistant.calls_mut() {
            let is_its = |run: &Run, envelope: &Envelope| {
                envelope.issuer.provider == Provider::signing_calls()
                    && envelope.call.as_deref() == Some(&*run.store.text(call.id))
            };
            let Some(place) = open.iter().position(|(envelope, ..)| is_its(run, envelope)) else { continue };
            let (envelope, at, mut rest) = open.remove(place);
            // fields of the block that are not known
            if run.route.is_to_provider() {
                let mark = run.report.mark();
                run.warn_metadata(&rest, at);
                run.report.keep_lossy_after(mark);
            } else {
                // the call has an item of its own
                let items: Vec<Value> = rest.own_field(Word::item).into_iter().collect();
                rest.retain_family(&mut |member| member.key.word() != Word::item);
                items.into_iter().for_each(|item| warn_item(run, item, at));
                run.place(&mut rest, at);
                rest.family_fields().iter().for_each(|member| call.metadata.add_member(*member));
            }
            let signature = run.store.string(&envelope.state);
            call.metadata.set_thought_signature(signature);
        }
    }
    for (_, at, rest) in open {
        run.warn_metadata(&rest, at);
        run.warn(WarningCode::StateDropped, at, "the call that this state belongs to is not in the conversation");
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
