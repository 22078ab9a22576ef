//! Settings whose words a format leaves open: its servers have words that the format does not define. They stay within the format; other formats get what
//! is nearest.

use crate::dialect::shared::settings::EFFORTS;
use crate::fit::reasoning::ADAPTIVE;
use crate::format::{Format, Layout};
use crate::model::{Member, Metadata, ReasoningSettings, Request, ResponseFormat, Setting};
use crate::run::{At, Dialect, Run, WarningCode};
use crate::value::{Field, Kind, Value, Word};

/// Efforts of servers, in lower case and without marks, and what is nearest to them. None: the model decides how much it reasons.
///
/// `default`: Groq (<https://console.groq.com/docs/reasoning>); `on`, `off`: LM Studio (<https://lmstudio.ai/docs/developer/rest/chat>); `auto`: what several
/// routers call the model's own choice; `ultra`: clients of Codex (<https://github.com/NousResearch/hermes-agent/issues/70058>).
const NEAREST: &[(&str, Option<Word>)] =
    &[("default", None), ("auto", None), ("on", None), ("off", Some(Word::none)), ("ultra", Some(Word::max))];

/// Takes the words that the source's reader left where they were, for a target of another format.
pub fn adopt(run: &mut Run, request: &mut Request) {
    if !request.metadata.is_empty() {
        adopt_effort(run, request);
        adopt_format(run, request);
    }
}

fn adopt_effort(run: &mut Run, request: &mut Request) {
    if request.settings.reasoning.as_ref().is_some_and(|asked| asked.effort.is_some()) {
        return;
    }
    let Some(Left { value: given, at, field }) = left_effort(run, request) else { return };
    let Some(nearest) = nearest(run, given) else { return };
    let what = match nearest {
        Some(effort) => format!("the target does not have the effort: \"{}\" is nearest", effort.text()),
        None => "the target does not have the effort: the model decides how much it reasons".to_owned(),
    };
    run.warn(WarningCode::SettingChanged, at, &what);
    if let Some((first, inner)) = field {
        forget(run, &mut request.metadata, first, inner);
    }
    let asked = request.settings.reasoning.get_or_insert_with(ReasoningSettings::new);
    match nearest {
        Some(effort) => asked.effort = Some((effort, at)),
        None if asked.budget.is_none() => {
            asked.budget = Some((run.build(|run| run.store.put_number(ADAPTIVE)), at));
        }
        None => {}
    }
}

/// A string that a reader left in the metadata.
struct Left {
    value: Value,
    at: At,
    /// The field of the family that has it, and the way inside that, if it must be removed.
    field: Option<(Word, &'static [Word])>,
}

/// The keys that lead to the effort in a format.
fn path_of(format: &Format) -> Option<&'static [Word]> {
    let mut rows = format.settings.iter();
    rows.find(|(setting, _, _)| *setting == Setting::Effort).map(|(_, path, _)| *path)
}

fn left_effort(run: &mut Run, request: &Request) -> Option<Left> {
    let metadata = &request.metadata;
    if run.route.is_from_provider() {
        // what is left of an object is in single fields, with their positions
        let path = path_of(run.route.from.format())?;
        let (last, parents) = path.split_last()?;
        let is_left = |member: &&Member| member.key.word() == *last && member.at.is_some() != parents.is_empty();
        let value = metadata.family_fields().iter().find(is_left)?.value;
        let at = path.iter().fold(request.at, |at, word| run.down(at, *word));
        return Some(Left { value, at, field: Some((*last, &[])) }).filter(|_| run.store.kind(value) == Kind::String);
    }
    let own = path_of(run.route.to.format());
    Dialect::ALL.iter().find_map(|dialect| {
        let (provider, path) = (dialect.provider()?, path_of(dialect.format())?);
        let (first, inner) = path.split_first()?;
        let is_own = run.route.leads_to(provider);
        let entry = metadata.others().iter().find(|other| other.key.word() == provider.word());
        let value = match is_own {
            true if own == Some(path) => None,
            true => metadata.family_field(*first),
            false => run.field(entry?.value, *first),
        };
        let value = inner.iter().try_fold(value?, |value, word| run.field(value, *word))?;
        let above = run.down(request.at, Word::metadata);
        let above = run.down(above, provider.word());
        let at = path.iter().fold(above, |at, word| run.down(at, *word));
        let field = is_own.then_some((*first, inner));
        Some(Left { value, at, field }).filter(|_| run.store.kind(value) == Kind::String)
    })
}

/// What is nearest to the word of an effort: an effort, or (inner None) that the model decides. None if nothing is known of it.
fn nearest(run: &Run, given: Value) -> Option<Option<Word>> {
    let plain = |text: &str| text.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
    let given = plain(&run.store.text(given));
    let known = EFFORTS.iter().find(|effort| effort.text() == given).map(|effort| Some(*effort));
    known.or_else(|| NEAREST.iter().find(|(word, _)| *word == given).map(|(_, nearest)| *nearest))
}

/// Schemas beside the type of a response format, where servers have them: llama.cpp and Fireworks (`json_object` with `schema`), Together (`json_schema` with
/// `schema`), TGI (`json` with `value`).
fn adopt_format(run: &mut Run, request: &mut Request) {
    let Request { settings, metadata, .. } = request;
    if matches!(settings.response_format, Some((ResponseFormat::Schema { .. } | ResponseFormat::Text, _))) {
        return;
    }
    let at = run.down(request.at, Word::response_format);
    let is_schema = |member: &&Member| member.key.word() == Word::schema && member.at.is_some();
    let beside = metadata.family_fields().iter().find(is_schema).map(|member| (Word::schema, member.value));
    let (is_direct, is_flat) = (run.route.is_from_provider(), run.route.to.format().layout == Some(Layout::Flat));
    let own = metadata.family_field(Word::response_format).filter(|_| is_direct || is_flat);
    let mut others = metadata.others().iter().filter(|_| !is_direct);
    let whole = own.or_else(|| others.find_map(|other| run.field(other.value, Word::response_format)));
    let mut schemas =
        [Word::schema, Word::value].into_iter().filter_map(|word| Some((word, run.field(whole?, word)?))).chain(beside);
    let Some((word, schema)) = schemas.next() else { return };
    if run.store.kind(schema) != Kind::Object {
        return;
    }
    let (schema_at, name_at, strict_at) = (run.down(at, word), run.down(at, Word::name), run.down(at, Word::strict));
    let name =
        whole.and_then(|whole| run.field(whole, Word::name)).filter(|name| run.store.kind(*name) == Kind::String);
    let strict = whole
        .and_then(|whole| run.field(whole, Word::strict))
        .filter(|strict| run.store.kind(*strict) == Kind::Boolean);
    let strict = strict.map(|strict| (run.store.boolean(strict), strict_at));
    let format = ResponseFormat::Schema {
        name: name.map(|name| (name, name_at)),
        description: None,
        schema: (schema, schema_at),
        strict,
    };
    settings.response_format = Some((format, at));
    if beside.is_some() {
        return metadata.set_family_field(Word::schema, None);
    }
    for used in [Word::r#type, word, Word::name, Word::strict] {
        forget(run, metadata, Word::response_format, &[used]);
    }
}

/// Removes a field, or one inside it to which `inner` leads.
fn forget(run: &mut Run, metadata: &mut Metadata, first: Word, inner: &[Word]) {
    let rest = metadata.family_field(first).and_then(|object| without(run, object, inner));
    metadata.set_family_field(first, rest);
}

/// What is left of an object without a field. None if nothing is.
fn without(run: &mut Run, object: Value, path: &[Word]) -> Option<Value> {
    let (first, inner) = path.split_first()?;
    let mut rest: Vec<(Field, Value)> = Vec::new();
    for field in run.members(object) {
        let value = if field.word == *first { without(run, field.value, inner) } else { Some(field.value) };
        rest.extend(value.map(|value| (field, value)));
    }
    if rest.is_empty() {
        return None;
    }
    Some(run.build_object(|run, _| {
        for (field, value) in rest {
            run.put_key(field.into());
            run.store.put(value);
        }
    }))
}
