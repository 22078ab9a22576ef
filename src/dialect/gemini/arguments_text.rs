//! The arguments of a call as text, assembled from streamed values.

use super::partial::{PartialArgument, Step};
use crate::run::{At, Result, Run, WarningCode};
use crate::value::{Kind, Value};

/// A JSON object as text, written in the order in which its values arrive.
///
/// The model writes its arguments from start to end, so containers before the latest value are closed. If a value arrives for a closed container all
/// the same, it waits for the end: the top-level member is then written again, and the last one counts.
pub struct ArgumentsText {
    /// The text that was not taken yet.
    text: String,
    /// The open containers, from the object itself downwards.
    open: Vec<Container>,
    /// The path of the open string.
    open_text: Option<String>,
    /// Members of the object itself that must be written again.
    stale: Vec<String>,
    /// Nothing more is written before the end.
    is_held: bool,
}

struct Container {
    /// The step from the parent.
    step: Option<Step>,
    /// The keys written so far, for an object; None for an array.
    keys: Option<Vec<String>>,
    length: usize,
}

impl Default for ArgumentsText {
    fn default() -> ArgumentsText {
        let root = Container { step: None, keys: Some(Vec::new()), length: 0 };
        let text = "{".to_owned();
        ArgumentsText { text, open: vec![root], open_text: None, stale: Vec::new(), is_held: false }
    }
}

impl ArgumentsText {
    /// The whole text so far; None if it is incomplete.
    pub fn so_far(&self) -> Option<&str> {
        (!self.is_held).then_some(&self.text)
    }

    /// The text that was added since the last call.
    pub fn take(&mut self) -> String {
        std::mem::take(&mut self.text)
    }

    /// The arguments arrived whole: they are written at the end.
    pub fn hold(&mut self) {
        self.is_held = true;
        let known_keys = self.open.first().and_then(|root| root.keys.clone());
        self.stale.extend(known_keys.unwrap_or_default());
    }

    pub fn add(&mut self, run: &mut Run, argument: &PartialArgument) -> Result<()> {
        let PartialArgument { path, steps, value, goes_on } = argument;
        let is_open = self.open_text.as_ref() == Some(path);
        let Some(value) = *value else {
            if !(is_open && *goes_on) {
                self.close_text();
            }
            return Ok(());
        };
        let is_text = run.store.kind(value) == Kind::String;
        let Some(steps) = steps else {
            self.is_held = true;
            return Ok(());
        };
        if !(is_text && is_open) {
            self.close_text();
            if self.is_held || !self.reach(run, steps)? {
                self.is_held = true;
                if let Some(Step::Key(key)) = steps.first() {
                    self.stale.push(key.clone());
                }
                return Ok(());
            }
            if is_text {
                self.text.push('"');
                self.open_text = Some(path.clone());
            }
        }
        let json = json(run, value)?;
        let content = if is_text { json.get(1..json.len() - 1).unwrap_or_default() } else { &json };
        self.text.push_str(content);
        if !*goes_on {
            self.close_text();
        }
        Ok(())
    }

    fn close_text(&mut self) {
        if self.open_text.take().is_some() {
            self.text.push('"');
        }
    }

    /// Writes up to the position of a new value. Returns whether it can still be reached.
    fn reach(&mut self, run: &mut Run, steps: &[Step]) -> Result<bool> {
        let parents = steps.len().saturating_sub(1);
        let inside = self.open.iter().skip(1).zip(steps.iter().take(parents));
        let shared = inside.take_while(|(container, step)| container.step.as_ref() == Some(*step)).count();
        self.close_containers(shared + 1);
        for (index, step) in steps.iter().enumerate().skip(shared) {
            let Some(container) = self.open.last_mut() else { return Ok(false) };
            let can_follow = match (&mut container.keys, step) {
                (Some(keys), Step::Key(key)) if !keys.contains(key) => {
                    keys.push(key.clone());
                    true
                }
                (None, Step::Index(index)) => *index == container.length,
                (Some(_) | None, _) => false,
            };
            if !can_follow {
                return Ok(false);
            }
            if container.length > 0 {
                self.text.push(',');
            }
            container.length += 1;
            if let Step::Key(key) = step {
                self.push_key(run, key)?;
            }
            if let Some(next) = steps.get(index + 1) {
                let is_object = matches!(next, Step::Key(_));
                self.text.push(if is_object { '{' } else { '[' });
                let keys = is_object.then(Vec::new);
                self.open.push(Container { step: Some(step.clone()), keys, length: 0 });
            }
        }
        Ok(true)
    }

    fn push_key(&mut self, run: &mut Run, key: &str) -> Result<()> {
        let key = run.store.string(key);
        self.text.push_str(&json(run, key)?);
        self.text.push(':');
        Ok(())
    }

    /// Closes containers until `left` are open.
    fn close_containers(&mut self, left: usize) {
        while self.open.len() > left {
            let is_object = self.open.pop().is_some_and(|container| container.keys.is_some());
            self.text.push(if is_object { '}' } else { ']' });
        }
    }

    /// Closes the object. Members of `arguments` that are missing or outdated are written last.
    pub fn finish(&mut self, run: &mut Run, arguments: Value, at: At) -> Result<()> {
        self.close_text();
        self.close_containers(1);
        let known_keys = self.open.first_mut().and_then(|root| root.keys.take()).unwrap_or_default();
        let mut is_first = known_keys.is_empty();
        let fields = run.fields(arguments, at)?;
        for field in fields {
            let key = run.store.owned_text(field.key);
            if known_keys.contains(&key) {
                if !self.stale.contains(&key) {
                    continue;
                }
                run.warn(
                    WarningCode::DuplicateKey,
                    at,
                    "a value occurs twice: the last one is used in the streamed arguments",
                );
            }
            if !std::mem::replace(&mut is_first, false) {
                self.text.push(',');
            }
            self.push_key(run, &key)?;
            self.text.push_str(&json(run, field.value)?);
        }
        self.text.push('}');
        Ok(())
    }
}

fn json(run: &mut Run, value: Value) -> Result<String> {
    let text = run.store.stringify(value).map_err(|fault| run.fault(fault, At::ROOT))?;
    Ok(run.store.owned_text(text))
}
