//! Calls whose arguments arrive in pieces (WIRE §4.8): Vertex AI sends them if streamed arguments were requested, and clients keep the pieces as
//! parts. The pieces are joined to one call.

use super::arguments_text::ArgumentsText;
use super::tree::{self, Tree};
use crate::dialect::shared::arguments;
use crate::model::{Arguments, Block, Call, Metadata, Native};
use crate::run::{At, Provider, Reading, Result, Run};
use crate::value::text::split_around;
use crate::value::{Kind, Value, Word};

const CUT_OFF: &str = "the arguments were cut off: their last piece states that more follow";
const NO_FIT: &str = "the pieces of the arguments can't be combined";

/// Whether a `functionCall` is a piece of one. The last piece of a call may be empty.
pub fn is_piece(run: &Run, call: &Reading) -> bool {
    call.holds(run, Word::partialArgs) || call.holds(run, Word::willContinue) || !call.has(Word::name)
}

/// The pieces of a call so far.
struct Pieces {
    at: At,
    id: Option<Value>,
    name: Value,
    /// The original parts.
    parts: Vec<Value>,
    arguments: Tree,
    text: ArgumentsText,
    /// The path of the text that continues in the next piece.
    open_text: Option<String>,
    fits: bool,
    continues: bool,
    metadata: Metadata,
}

/// Joins the pieces among the blocks to calls.
pub fn join(run: &mut Run, blocks: Vec<Block>) -> Result<Vec<Block>> {
    if !blocks.iter().any(|block| part_of(run, block).is_some()) {
        return Ok(blocks);
    }
    let mut joined = Vec::with_capacity(blocks.len());
    let mut open: Option<Pieces> = None;
    for block in blocks {
        let Some((part, at)) = part_of(run, &block) else {
            end(run, open.take(), &mut joined)?;
            joined.push(block);
            continue;
        };
        let mut reading = run.object(part, at)?;
        let mut call = reading.require_object(run, Word::functionCall)?;
        if call.has(Word::name) {
            end(run, open.take(), &mut joined)?;
        }
        let mut pieces = match open.take().filter(|pieces| pieces.continues) {
            Some(pieces) => pieces,
            None => begin(run, at, &mut call)?,
        };
        pieces.parts.push(part);
        add(run, &mut pieces, call)?;
        if let Some(signature) = reading.string(run, Word::thoughtSignature)? {
            pieces.metadata.set_thought_signature(signature);
        }
        let mut rest = reading.rest();
        run.place(&mut rest, at);
        pieces.metadata.append(rest);
        if pieces.continues {
            open = Some(pieces);
        } else {
            end(run, Some(pieces), &mut joined)?;
        }
    }
    end(run, open.take(), &mut joined)?;
    Ok(joined)
}

/// Whether the first block is a piece of the previous call: only the first piece has a name.
pub fn goes_on(run: &mut Run, blocks: &[Block]) -> bool {
    let part = blocks.first().and_then(|block| part_of(run, block));
    let call = part.and_then(|(part, _)| run.member(part, Word::functionCall));
    call.is_some_and(|call| run.store.kind(call) == Kind::Object && run.member(call, Word::name).is_none())
}

/// The part of a block that is a piece of a call.
fn part_of(run: &mut Run, block: &Block) -> Option<(Value, At)> {
    let Block::Native(Native { at, provider: Provider::Google, value, .. }) = block else { return None };
    holds_call(run, *value).then_some((*value, *at))
}

/// Whether a part is a call. Null does not count.
pub fn holds_call(run: &mut Run, part: Value) -> bool {
    run.member(part, Word::functionCall).is_some_and(|call| run.store.kind(call) != Kind::Null)
}

fn begin(run: &mut Run, at: At, call: &mut Reading) -> Result<Pieces> {
    Ok(Pieces {
        at,
        id: call.string(run, Word::id)?,
        name: arguments::take_name(run, call)?,
        parts: Vec::new(),
        arguments: Tree::Object(Vec::new()),
        text: ArgumentsText::default(),
        open_text: None,
        fits: true,
        continues: false,
        metadata: Metadata::default(),
    })
}

fn add(run: &mut Run, pieces: &mut Pieces, mut call: Reading) -> Result<()> {
    if let Some((args, at)) = call.take_at(run, Word::args) {
        if run.store.kind(args) != Kind::Object {
            return run.wrong_type(args, at, "an object");
        }
        if !run.is_void(args) {
            pieces.text.hold();
        }
        let depth = run.options.max_depth();
        pieces.arguments = tree::read(run, args, at, depth)?;
    }
    for (piece, at) in call.elements(run, Word::partialArgs)? {
        add_value(run, pieces, piece, at)?;
    }
    pieces.continues = call.boolean(run, Word::willContinue)?.unwrap_or(false);
    report_rest(run, call);
    Ok(())
}

/// Warns about further fields of a piece, unless the target accepts pieces.
fn report_rest(run: &mut Run, piece: Reading) {
    if !run.route.to.format().limits.calls_in_pieces {
        let at = piece.at();
        run.warn_family(&piece.rest(), at);
    }
}

/// A value in the arguments, or a piece of a text.
pub struct PartialArgument {
    pub path: String,
    /// The steps to its place; None if the path is invalid.
    pub steps: Option<Vec<Step>>,
    pub value: Option<Value>,
    /// Whether the next piece continues this text.
    pub goes_on: bool,
}

pub fn read_argument(run: &mut Run, reading: &mut Reading) -> Result<PartialArgument> {
    let path = reading.require_string(run, Word::jsonPath)?;
    let path = run.store.owned_text(path);
    let goes_on = reading.boolean(run, Word::willContinue)?.unwrap_or(false);
    let value = if let Some(text) = reading.string(run, Word::stringValue)? {
        Some(text)
    } else if let Some((number, at)) = reading.take_at(run, Word::numberValue) {
        run.number(number, at)?;
        Some(number)
    } else if let Some((boolean, at)) = reading.take_at(run, Word::boolValue) {
        run.boolean(boolean, at)?;
        Some(boolean)
    } else if reading.take_any(Word::nullValue).is_some() {
        Some(run.build(|run| run.store.put_null()))
    } else {
        None
    };
    // no deeper than other JSON
    let steps = steps(&path).filter(|steps| steps.len() < run.options.max_depth());
    Ok(PartialArgument { path, steps, value, goes_on })
}

/// Sets a value, or appends a piece to a text.
fn add_value(run: &mut Run, pieces: &mut Pieces, value: Value, at: At) -> Result<()> {
    let mut reading = run.object(value, at)?;
    let argument = read_argument(run, &mut reading)?;
    report_rest(run, reading);
    pieces.text.add(run, &argument)?;
    let appends = pieces.open_text.as_deref() == Some(argument.path.as_str());
    if let Some(value) = argument.value {
        let value = match run.store.kind(value) {
            Kind::String => Tree::Text(run.store.owned_text(value)),
            _ => Tree::Plain(value),
        };
        let place = argument.steps.and_then(|steps| place(&mut pieces.arguments, &steps));
        match (place, value) {
            (None, _) => pieces.fits = false,
            (Some(Tree::Text(text)), Tree::Text(more)) if appends => text.push_str(&more),
            (Some(slot), value) => *slot = value,
        }
    }
    pieces.open_text = argument.goes_on.then_some(argument.path);
    Ok(())
}

/// A step in a path into the arguments.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    Key(String),
    Index(usize),
}

/// Reads `$.a.b[0]['c']`; the root alone is not a place for a value.
fn steps(path: &str) -> Option<Vec<Step>> {
    let mut rest = path.strip_prefix('$')?;
    let mut steps = Vec::new();
    while !rest.is_empty() {
        if let Some(named) = rest.strip_prefix('.') {
            let end = named.find(['.', '[']).unwrap_or(named.len());
            let (name, more) = named.split_at_checked(end).filter(|(name, _)| !name.is_empty())?;
            steps.push(Step::Key(name.to_owned()));
            rest = more;
            continue;
        }
        let inside = rest.strip_prefix('[')?;
        let quote = inside.chars().next().filter(|quote| matches!(quote, '\'' | '"'));
        match quote {
            Some(quote) => {
                let (name, more) = split_around(inside.strip_prefix(quote)?, if quote == '"' { "\"]" } else { "']" })?;
                steps.push(Step::Key(name.to_owned()));
                rest = more;
            }
            None => {
                let (index, more) = inside.split_once(']')?;
                steps.push(Step::Index(index.parse().ok()?));
                rest = more;
            }
        }
    }
    (!steps.is_empty()).then_some(steps)
}

/// The place that the steps lead to, created if necessary. Arrays grow by one element at a time.
fn place<'a>(root: &'a mut Tree, steps: &[Step]) -> Option<&'a mut Tree> {
    let mut here = root;
    for step in steps {
        if matches!(here, Tree::Text(text) if text.is_empty()) {
            *here = match step {
                Step::Key(_) => Tree::Object(Vec::new()),
                Step::Index(_) => Tree::Array(Vec::new()),
            };
        }
        here = match (here, step) {
            (Tree::Object(members), Step::Key(key)) => {
                let index = members.iter().position(|(name, _)| name == key).unwrap_or_else(|| {
                    members.push((key.clone(), Tree::Text(String::new())));
                    members.len() - 1
                });
                members.get_mut(index).map(|(_, value)| value)?
            }
            (Tree::Array(items), Step::Index(index)) => {
                if *index == items.len() {
                    items.push(Tree::Text(String::new()));
                }
                items.get_mut(*index)?
            }
            _ => return None,
        };
    }
    Some(here)
}

fn end(run: &mut Run, pieces: Option<Pieces>, joined: &mut Vec<Block>) -> Result<()> {
    if let Some(pieces) = pieces {
        joined.push(Block::Call(close(run, pieces)?));
    }
    Ok(())
}

/// The call that the pieces make. One that was cut off is invalid.
fn close(run: &mut Run, pieces: Pieces) -> Result<Call> {
    let Pieces { at, id, name, parts, arguments, text, fits, continues, mut metadata, .. } = pieces;
    let value = tree::build(run, &arguments);
    let arguments = match (fits, continues) {
        (true, false) => Arguments::Object { value, raw: None },
        (false, _) => invalid(run, value, None, NO_FIT),
        (true, true) => invalid(run, value, text.so_far(), CUT_OFF),
    };
    let arguments = arguments::named(run, name, arguments, at)?;
    let form = run.store.array_of(&parts);
    metadata.add_form(Word::args, form);
    let id = id.unwrap_or_else(|| run.store.string(""));
    Ok(Call { at, id, name, arguments, metadata })
}

/// The text of the pieces so far, or the arguments so far without their end, so that they can't be mistaken for complete ones.
fn invalid(run: &mut Run, value: Value, text: Option<&str>, error: &str) -> Arguments {
    let raw = match text {
        Some(text) => run.store.string(text),
        None => {
            let whole = run.store.stringify(value).unwrap_or_else(|_| run.store.string(""));
            let text = run.store.owned_text(whole);
            run.store.string(text.strip_suffix('}').unwrap_or(&text))
        }
    };
    Arguments::Invalid { raw, error: run.store.string(error) }
}

/// Writes a call in its original pieces, if the target accepts them and the call is unchanged.
pub fn put(run: &mut Run, call: &Call) -> bool {
    let form = call.metadata.form(Word::args).filter(|form| run.store.kind(*form) == Kind::Array);
    let Some(form) = form.filter(|_| run.route.to.format().limits.calls_in_pieces) else { return false };
    let parts = run.list(form);
    let native = |value: &Value| {
        let metadata = Metadata::default();
        Block::Native(Native { at: call.at, provider: Provider::Google, value: *value, metadata })
    };
    let Ok(joined) = run.attempt(|run| join(run, parts.iter().map(native).collect())) else { return false };
    let [Block::Call(other)] = joined.as_slice() else { return false };
    // fields that were added have no place in the pieces
    let means_it = call.metadata.family().is_empty()
        && run.store.same(other.name, call.name)
        && (run.store.is_empty(other.id) || run.store.same(other.id, call.id))
        && match (&other.arguments, &call.arguments) {
            (Arguments::Object { value: other, .. }, Arguments::Object { value, .. }) => run.store.same(*other, *value),
            (Arguments::Invalid { raw: other, .. }, Arguments::Invalid { raw, .. }) => run.store.same(*other, *raw),
            _ => false,
        };
    if means_it {
        for part in parts {
            run.store.put(part);
        }
    }
    means_it
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_read_step_by_step() {
        let key = |name: &str| Step::Key(name.to_owned());
        assert_eq!(steps("$.a.b[0]"), Some(vec![key("a"), key("b"), Step::Index(0)]));
        assert_eq!(steps("$['a b'][\"c\"].d"), Some(vec![key("a b"), key("c"), key("d")]));
        for wrong in ["", "$", "a", "$.", "$..a", "$[", "$[x]", "$['a]", "$a"] {
            assert_eq!(steps(wrong), None, "{wrong}");
        }
    }
}
