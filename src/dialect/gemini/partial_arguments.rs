//! The arguments of a call that arrive in pieces: values, each with the path of its place (WIRE §4.8).

use crate::model::Arguments;
use crate::run::{At, Reading, Result, Run, WarningCode};
use crate::value::text::{escape_into, split_around};
use crate::value::{Kind, Value, Word};

const CUT_OFF: &str = "the arguments were cut off: their last piece states that more follow";
const NO_FIT: &str = "the pieces of the arguments can't be combined";

/// The arguments so far: as a tree, and as the text of a stream, in which the containers around the last value are open.
///
/// The model writes its arguments from start to end. If a value arrives for a closed container all the same, it waits for the end: the top-level
/// member is then written again, and the last one counts.
pub struct PartialArguments {
    root: Tree,
    /// Up to the last value, which is complete here even if it is a string that the next piece may continue.
    text: Vec<u8>,
    /// How much of the text was taken.
    taken: usize,
    /// The steps to the last value in the text.
    place: Vec<Step>,
    /// The path of the string that the next piece may continue.
    open_string: Option<String>,
    /// Top-level members that wait for the end, and whether the text contains them already.
    late: Vec<(Step, bool)>,
    fits: bool,
    /// Whether more pieces follow.
    goes_on: bool,
}

impl Default for PartialArguments {
    fn default() -> PartialArguments {
        PartialArguments {
            root: Tree::Branch(OBJECT, Vec::new()),
            text: vec![b'{'],
            taken: 0,
            place: Vec::new(),
            open_string: None,
            late: Vec::new(),
            fits: true,
            goes_on: false,
        }
    }
}

impl PartialArguments {
    /// Adds what a part has of the arguments. Returns whether more parts follow.
    pub fn add(&mut self, run: &mut Run, (part, at): (Value, At)) -> Result<bool> {
        let mut call = run.object(part, at)?.require_object(run, Word::functionCall)?;
        if !self.goes_on {
            // the first piece names the call
            call.skip(&[Word::id, Word::name]);
        }
        if let Some((args, at)) = call.take_at(run, Word::args) {
            run.plain_object(args, at)?;
            for field in run.fields(args, at)? {
                let step = Step::Key(run.store.owned_text(field.key));
                let json = run.json_text(field.value, at)?;
                self.put(vec![step], run.store.owned_text(json).into_bytes());
            }
        }
        for (piece, at) in call.elements(run, Word::partialArgs)? {
            self.add_piece(run, piece, at)?;
        }
        self.goes_on = call.boolean(run, Word::willContinue)?.unwrap_or(false);
        warn_rest(run, call);
        Ok(self.goes_on)
    }

    /// Adds a value, or a piece of a string.
    fn add_piece(&mut self, run: &mut Run, piece: Value, at: At) -> Result<()> {
        let mut reading = run.object(piece, at)?;
        let path = reading.require_string(run, Word::jsonPath)?;
        let path = run.store.owned_text(path);
        let goes_on = reading.boolean(run, Word::willContinue)?.unwrap_or(false);
        let value = take_value(run, &mut reading)?;
        warn_rest(run, reading);
        // no deeper than other JSON
        let steps = steps(&path).filter(|steps| steps.len() < run.options.max_depth());
        let continues = self.open_string.as_ref() == Some(&path);
        let is_string = value.as_ref().map_or(continues, |json| json.starts_with(b"\""));
        match (value, steps) {
            (None, _) => {}
            (Some(_), None) => self.fits = false,
            (Some(more), Some(steps)) if continues && is_string => self.append(&steps, &more),
            (Some(value), Some(steps)) => self.put(steps, value),
        }
        self.open_string = (is_string && goes_on).then_some(path);
        Ok(())
    }

    /// Whether nothing more is written before the end.
    fn is_held(&self) -> bool {
        !(self.fits && self.late.is_empty())
    }

    /// Puts a value, given as JSON text, in its place.
    fn put(&mut self, steps: Vec<Step>, json: Vec<u8>) {
        let open = self.place.iter().zip(&steps).take_while(|(left, right)| left == right).count();
        // the last steps lead to values, not to containers
        let open = open.min(self.place.len().saturating_sub(1)).min(steps.len().saturating_sub(1));
        let is_held = self.is_held();
        self.open_string = None;
        if !is_held {
            self.close_containers(open);
        }
        let Some((place, known)) = self.root.place(&steps) else {
            self.fits = false;
            return;
        };
        if is_held || known > open {
            let member = steps.into_iter().next().filter(|member| self.late.iter().all(|(late, _)| late != member));
            self.late.extend(member.map(|member| (member, known > 0)));
        } else {
            for (index, step) in steps.iter().enumerate().skip(open) {
                push_step(&mut self.text, step);
                self.text.extend(steps.get(index + 1).map(|next| next.brackets()[0]));
            }
            self.text.extend_from_slice(&json);
            self.place = steps;
        }
        *place = Tree::Leaf(json);
    }

    /// Appends to the open string.
    fn append(&mut self, steps: &[Step], more: &[u8]) {
        let text = Some(&mut self.text).filter(|_| self.fits && self.late.is_empty());
        let leaf = match self.root.place(steps) {
            Some((Tree::Leaf(json), _)) => Some(json),
            _ => None,
        };
        for json in text.into_iter().chain(leaf) {
            json.pop();
            json.extend(more.iter().skip(1));
        }
    }

    /// Closes containers in the text until `left` are open inside the object.
    fn close_containers(&mut self, left: usize) {
        while self.place.len() > left + 1 {
            self.text.extend(self.place.pop().map(|step| step.brackets()[1]));
        }
    }

    /// The text so far. An open string is not closed.
    fn text(&self) -> &[u8] {
        let is_open = self.open_string.is_some() && !self.is_held();
        self.text.get(..self.text.len() - usize::from(is_open)).unwrap_or_default()
    }

    /// The text since the last call.
    pub fn take_text(&mut self) -> String {
        let text = self.text();
        let more = String::from_utf8_lossy(text.get(self.taken..).unwrap_or_default()).into_owned();
        self.taken = text.len();
        more
    }

    /// Completes the text: adds the members that waited. Text that was cut off or does not fit stays as it is.
    pub fn finish(&mut self, run: &mut Run, at: At) {
        if self.goes_on || !self.fits {
            return;
        }
        self.open_string = None;
        self.close_containers(0);
        let Tree::Branch(_, members) = &self.root else { return };
        for (step, value) in members {
            let Some((_, is_again)) = self.late.iter().find(|(late, _)| late == step) else { continue };
            if *is_again {
                let message = "a value occurs twice: the last one is used in the streamed arguments";
                run.warn(WarningCode::DuplicateKey, at, message);
            }
            push_step(&mut self.text, step);
            value.write(&mut self.text);
        }
        self.text.push(b'}');
    }

    /// The arguments that the pieces make. Incomplete ones are invalid: their text lacks its end, so that it can't be mistaken for a complete one.
    pub fn read(&self, run: &mut Run) -> Result<Arguments> {
        let mut json = Vec::new();
        self.root.write(&mut json);
        if self.fits && !self.goes_on {
            return Ok(Arguments::Object { value: run.import(&json)?, raw: None });
        }
        json.pop();
        let raw = String::from_utf8_lossy(if self.is_held() { &json } else { self.text() });
        let error = if self.fits { CUT_OFF } else { NO_FIT };
        Ok(Arguments::Invalid { raw: run.store.string(&raw), error: run.store.string(error) })
    }
}

/// Warns about further fields of a piece, unless the target accepts pieces.
fn warn_rest(run: &mut Run, piece: Reading) {
    if !run.route.to.format().limits.calls_in_pieces {
        let at = piece.at();
        run.warn_metadata(&piece.rest(), at);
    }
}

/// Takes the value of a piece, as JSON text.
fn take_value(run: &mut Run, piece: &mut Reading) -> Result<Option<Vec<u8>>> {
    let kinds =
        [(Word::stringValue, Kind::String), (Word::numberValue, Kind::Number), (Word::boolValue, Kind::Boolean)];
    for (word, kind) in kinds {
        let Some((value, at)) = piece.take_at(run, word) else { continue };
        if run.store.kind(value) != kind {
            return run.wrong_type(value, at, kind.name());
        }
        return run.export(value).map(Some);
    }
    Ok(piece.take_any(Word::nullValue).map(|_| b"null".to_vec()))
}

/// A step in a path into the arguments.
#[derive(Clone, Debug, PartialEq)]
enum Step {
    Key(String),
    Index(usize),
}

/// The brackets around the members of an object, or the elements of an array.
type Brackets = [u8; 2];
const OBJECT: Brackets = *b"{}";
const ARRAY: Brackets = *b"[]";

impl Step {
    /// The brackets of the container in which the step leads to a value.
    fn brackets(&self) -> Brackets {
        match self {
            Step::Key(_) => OBJECT,
            Step::Index(_) => ARRAY,
        }
    }
}

/// Writes what precedes a value in its container.
fn push_step(text: &mut Vec<u8>, step: &Step) {
    if !matches!(text.last(), Some(b'{' | b'[')) {
        text.push(b',');
    }
    if let Step::Key(key) = step {
        text.push(b'"');
        escape_into(text, key.as_bytes());
        text.extend(b"\":");
    }
}

/// Reads `$.a.b[0]['c']`; the root alone is not a place for a value.
fn steps(path: &str) -> Option<Vec<Step>> {
    let mut rest = path.strip_prefix('$')?;
    let mut steps = Vec::new();
    while !rest.is_empty() {
        let (step, more) = first_step(rest)?;
        steps.push(step);
        rest = more;
    }
    (!steps.is_empty()).then_some(steps)
}

/// The first step of a path, and the rest of it.
fn first_step(path: &str) -> Option<(Step, &str)> {
    if let Some(named) = path.strip_prefix('.') {
        let (name, rest) = named.split_at_checked(named.find(['.', '[']).unwrap_or(named.len()))?;
        return (!name.is_empty()).then(|| (Step::Key(name.to_owned()), rest));
    }
    for (start, end) in [("['", "']"), ("[\"", "\"]")] {
        if let Some(quoted) = path.strip_prefix(start) {
            let (name, rest) = split_around(quoted, end)?;
            return Some((Step::Key(name.to_owned()), rest));
        }
    }
    let (index, rest) = path.strip_prefix('[')?.split_once(']')?;
    Some((Step::Index(index.parse().ok()?), rest))
}

enum Tree {
    /// JSON text.
    Leaf(Vec<u8>),
    Branch(Brackets, Vec<(Step, Tree)>),
}

impl Tree {
    /// The place that the steps lead to, and how many of them led to existing places: others are created. Arrays grow by one element at a time.
    fn place(&mut self, steps: &[Step]) -> Option<(&mut Tree, usize)> {
        let (mut here, mut known) = (self, 0);
        for step in steps {
            if matches!(here, Tree::Leaf(json) if json == EMPTY) {
                *here = Tree::Branch(step.brackets(), Vec::new());
            }
            let Tree::Branch(brackets, children) = here else { return None };
            if *brackets != step.brackets() {
                return None;
            }
            let index = match step {
                Step::Key(_) => children.iter().position(|(key, _)| key == step).unwrap_or(children.len()),
                Step::Index(index) => *index,
            };
            if index == children.len() {
                children.push((step.clone(), Tree::Leaf(EMPTY.to_vec())));
            } else {
                known += 1;
            }
            here = children.get_mut(index).map(|(_, child)| child)?;
        }
        Some((here, known))
    }

    fn write(&self, text: &mut Vec<u8>) {
        match self {
            Tree::Leaf(json) => text.extend_from_slice(json),
            Tree::Branch([open, close], children) => {
                text.push(*open);
                for (step, child) in children {
                    push_step(text, step);
                    child.write(text);
                }
                text.push(*close);
            }
        }
    }
}

/// What a new place holds before its value.
const EMPTY: &[u8] = b"\"\"";

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
