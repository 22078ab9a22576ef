//! Makes JSON Schema what each target accepts: a single walker, and a policy for each target as data.

pub mod count;
mod cycles;
mod keywords;
mod moves;
mod node;
pub mod openapi;
pub mod policy;
mod references;
mod root;
mod shapes;
mod sound;
mod unions;
mod values;
mod walk;

use crate::run::{At, ErrorCode, Result, Run, WarningCode};
use crate::value::{Field, Kind, Value, Word};
use policy::{Policy, Rule};
use walk::Walker;

/// The schema as the target accepts it; the same value if nothing must change.
pub fn fit(run: &mut Run, schema: Value, at: At, policy: &'static Policy) -> Result<Value> {
    if run.route.stays_with_provider() || passes(run, schema, policy) {
        Ok(schema)
    } else {
        Walker::new(policy, schema, at).walk(run)
    }
}

/// Whether the root alone shows that nothing must change: most schemas are passed on unread.
fn passes(run: &mut Run, schema: Value, policy: &Policy) -> bool {
    if policy.others != Rule::Keep || run.store.kind(schema) != Kind::Object {
        return false;
    }
    let fields = run.members(schema);
    let has = |word: Word| fields.iter().any(|field| field.word == word);
    let kind = fields.iter().find(|field| field.word == Word::r#type).map(|field| field.value);
    let is_object = kind.is_some_and(|kind| run.store.word(kind) == Word::object);
    let is_map = |field: &Field| run.store.kind(field.value) == Kind::Object;
    let is_listed = fields.iter().find(|field| field.word == Word::properties).is_some_and(|field| !is_map(field));
    let root_fits = is_object && !has(Word::reference) || !policy.object_root;
    let is_bare = policy.root_properties && !has(Word::properties);
    let is_split = policy.not_at_root.iter().any(|word| has(*word));
    let properties = fields.iter().find(|field| field.word == Word::properties).map(|field| field.value);
    if !root_fits || is_listed || is_bare || is_split || !allows_names(run, policy, properties) {
        return false;
    }
    !policy.deep || !run.store.mentions(schema, policy.triggers)
}

fn allows_names(run: &mut Run, policy: &Policy, properties: Option<Value>) -> bool {
    let (Some(names), Some(properties)) = (policy.names, properties) else { return true };
    let fields = run.members(properties);
    fields.iter().all(|field| names.allow(field.word, &run.store.text(field.key)))
}

/// The schema as the target accepts it, and whether it is in strict mode. Keywords that only constrain values are dropped in favour of strict mode,
/// whose guarantee matters more. Strict mode is given up if it would allow other values than the schema does.
pub fn fit_strict(
    run: &mut Run,
    schema: Value,
    at: At,
    strict: Option<(bool, At)>,
    (lax, strict_policy): (&'static Policy, &'static Policy),
) -> Result<(Value, Option<bool>)> {
    let Some((true, strict_at)) = strict.filter(|_| !run.route.stays_with_provider()) else {
        return Ok((fit(run, schema, at, lax)?, strict.map(|(strict, _)| strict)));
    };
    if std::ptr::eq(lax, strict_policy) {
        return Ok((fit(run, schema, at, lax)?, Some(true)));
    }
    let mark = run.report.mark();
    let mut walker = Walker::new(strict_policy, schema, at);
    let walked = run.attempt(|run| walker.walk(run));
    let (at_fault, why) = match (walked, walker.refused) {
        (Ok(written), None) => return Ok((written, Some(true))),
        (_, Some(fault)) => fault,
        (Err(error), None) if error.code == ErrorCode::TooDeep => {
            (at, "strict mode does not accept a schema that is nested so deeply")
        }
        (Err(error), None) => return Err(run.report.fail(error)),
    };
    run.report.forget_after(mark);
    let place = run.pointer(at_fault);
    run.warn(WarningCode::StrictDropped, strict_at, &format!("{why} ({place})"));
    Ok((fit(run, schema, at, lax)?, None))
}
