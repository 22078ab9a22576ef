//! Documents must have a name of their own, of certain characters, and a text beside them (WIRE §5.5, §5.9).

use crate::model::{Block, Content, MediaKind, Message, Metadata, Outcome};
use crate::run::{At, Run, WarningCode};
use crate::value::{Keys, Value};

/// The name of a document without one.
const USUAL: &str = "document";
const LONGEST: usize = 200;
/// The text beside documents that have none.
const BESIDE: &str = "See the documents.";

pub fn fit(run: &mut Run, messages: &mut [Message]) {
    // a name that another document has gets a number
    let mut taken = Keys::default();
    for message in messages.iter_mut() {
        match message {
            Message::User(prose) => fit_content(run, &mut prose.content, &mut taken),
            Message::Assistant(assistant) => fit_content(run, &mut assistant.content, &mut taken),
            Message::Tool(result) => {
                if let Outcome::Multimodal { blocks, .. } = &mut result.outcome {
                    name_all(run, blocks, &mut taken);
                }
            }
            Message::System(_) => {}
        }
    }
    add_texts(run, messages);
}

fn fit_content(run: &mut Run, content: &mut Content, taken: &mut Keys) {
    if let Content::Blocks(blocks) = content {
        name_all(run, blocks, taken);
    }
}

fn name_all(run: &mut Run, blocks: &mut [Block], taken: &mut Keys) {
    for block in blocks {
        if let Block::Media(media) = block
            && media.kind == MediaKind::Document
        {
            media.name = Some(name(run, media.name, media.at, taken));
        }
    }
}

fn name(run: &mut Run, given: Option<Value>, at: At, taken: &mut Keys) -> Value {
    let text = given.map(|given| run.store.owned_text(given));
    let plain = text.as_deref().map(plain).filter(|plain| !plain.is_empty()).unwrap_or_else(|| USUAL.to_owned());
    let mut unique = plain.clone();
    let mut number = 1;
    while !taken.add(unique.as_bytes()) {
        number += 1;
        let end = format!(" {number}");
        let kept: String = plain.chars().take(LONGEST - end.len()).collect();
        unique = kept + &end;
    }
    match (given, text) {
        (Some(given), Some(text)) if text == unique => return given,
        (None, _) => run.warn(WarningCode::FieldSupplied, at, &format!("a document requires a name: \"{unique}\"")),
        (Some(_), _) => run.warn(WarningCode::NameRewritten, at, &format!("it is sent with the name {unique}")),
    }
    run.store.string(&unique)
}

/// A name of the characters that names may have: letters, digits, single spaces, hyphens, parentheses and brackets.
fn plain(name: &str) -> String {
    let mut plain = String::new();
    for letter in name.chars() {
        let is_kept = letter.is_ascii_alphanumeric() || "-()[]".contains(letter);
        if is_kept {
            plain.push(letter);
        } else if !plain.ends_with(' ') && !plain.is_empty() {
            plain.push(' ');
        }
        if plain.len() == LONGEST {
            break;
        }
    }
    plain.trim_end().to_owned()
}

/// Adds a text to turns of the user that have documents and no text.
fn add_texts(run: &mut Run, messages: &mut [Message]) {
    let mut index = 0;
    while index < messages.len() {
        let is_in_turn = |message: &Message| message.metadata().continues() || matches!(message, Message::Tool(_));
        let rest = messages.get(index + 1..).unwrap_or_default();
        let length = 1 + rest.iter().take_while(|message| is_in_turn(message)).count();
        let turn = messages.get_mut(index..index + length).unwrap_or_default();
        let blocks = || turn.iter().filter(|message| matches!(message, Message::User(_))).flat_map(Message::blocks);
        let is_document = |block: &&Block| matches!(block, Block::Media(media) if media.kind == MediaKind::Document);
        let has_plain = turn
            .iter()
            .any(|message| matches!(message, Message::User(prose) if matches!(prose.content, Content::Text(..))));
        let has_text = has_plain || blocks().any(|block| matches!(block, Block::Text { .. }));
        let at = blocks().find(is_document).map(Block::at).filter(|_| !has_text);
        if let Some(at) = at {
            run.warn(WarningCode::DefaultUsed, at, "a document requires a text beside it: one was added");
            let text = run.store.string(BESIDE);
            let user = turn.iter_mut().find_map(|message| match message {
                Message::User(prose) => Some(&mut prose.content),
                _ => None,
            });
            if let Some(Content::Blocks(blocks)) = user {
                blocks.push(Block::Text { at, text, metadata: Metadata::default() });
            }
        }
        index += length;
    }
}
