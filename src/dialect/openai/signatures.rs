//! Google's signatures of calls in OpenAI's format: read from all places where servers put them, written where Google does (Q203).

use crate::model::Metadata;
use crate::run::{Reading, Result, Run, Writing};
use crate::value::{Kind, Value, Word};

/// A place for the signature, and its name in `form`.
struct Carrier {
    name: &'static str,
    /// Whether the path starts at the function instead of the call.
    in_function: bool,
    path: &'static [Word],
}

const GOOGLE: Carrier = Carrier {
    name: "extra_content",
    in_function: false,
    path: &[Word::extra_content, Word::google, Word::thought_signature],
};

const CARRIERS: &[Carrier] = &[
    GOOGLE,
    // Vertex AI's endpoint for OpenAI's clients (https://github.com/earendil-works/pi/issues/6733)
    Carrier {
        name: "extra_content.vertex",
        in_function: false,
        path: &[Word::extra_content, Word::vertex, Word::thought_signature],
    },
    // Higress (https://github.com/higress-group/higress/pull/3973)
    Carrier { name: "call", in_function: false, path: &[Word::thought_signature] },
    Carrier {
        name: "provider_specific_fields",
        in_function: false,
        path: &[Word::provider_specific_fields, Word::thought_signature],
    },
    Carrier { name: "function", in_function: true, path: &[Word::thought_signature] },
    Carrier {
        name: "function.provider_specific_fields",
        in_function: true,
        path: &[Word::provider_specific_fields, Word::thought_signature],
    },
];

/// Takes the signature of a call, if it has one, and records its place.
pub fn take(run: &mut Run, call: &mut Reading, function: &mut Reading, metadata: &mut Metadata) -> Result<()> {
    for carrier in CARRIERS {
        let reading = if carrier.in_function { &mut *function } else { &mut *call };
        if let Some(signature) = take_at(run, reading, carrier.path)? {
            metadata.add_form(Word::thought_signature, run.store.string(carrier.name));
            metadata.set_thought_signature(signature);
            return take_copies(run, (call, function), signature);
        }
    }
    Ok(())
}

/// Takes the same signature out of the other places: some clients return it in two (LiteLLM 1.110).
fn take_copies(run: &mut Run, (call, function): (&mut Reading, &mut Reading), signature: Value) -> Result<()> {
    if run.route.keeps_family() {
        return Ok(());
    }
    for Carrier { in_function, path, .. } in CARRIERS {
        let reading = if *in_function { &mut *function } else { &mut *call };
        if has_at(run, reading, path, signature) {
            take_at(run, reading, path)?;
        }
    }
    Ok(())
}

/// Whether this string is at the end of the path.
fn has_at(run: &mut Run, reading: &Reading, path: &[Word], string: Value) -> bool {
    let [first, rest @ ..] = path else { return false };
    let found = rest.iter().try_fold(reading.peek(*first), |value, word| {
        let value = value.filter(|value| run.store.kind(*value) == Kind::Object)?;
        Some(run.member(value, *word))
    });
    found.flatten().is_some_and(|found| run.store.kind(found) == Kind::String && run.store.same(found, string))
}

/// Takes the string at the end of the path, and leaves the members beside it.
fn take_at(run: &mut Run, reading: &mut Reading, path: &[Word]) -> Result<Option<Value>> {
    let [first, rest @ ..] = path else { return Ok(None) };
    if !reading.peek(*first).is_some_and(|value| leads_to_string(run, value, rest)) {
        return Ok(None);
    }
    if rest.is_empty() {
        return reading.string(run, *first);
    }
    let Some((value, at)) = reading.take_at(run, *first) else { return Ok(None) };
    let mut inner = run.object(value, at)?;
    let signature = take_at(run, &mut inner, rest)?;
    reading.give_back_rest(run, *first, inner);
    Ok(signature)
}

fn leads_to_string(run: &mut Run, value: Value, path: &[Word]) -> bool {
    match (path, run.store.kind(value)) {
        ([], kind) => kind == Kind::String,
        ([first, rest @ ..], Kind::Object) => {
            run.member(value, *first).is_some_and(|inner| leads_to_string(run, inner, rest))
        }
        _ => false,
    }
}

/// The place for a call's signature: the original one, or Google's if the target is a client.
fn carrier(run: &Run, metadata: &Metadata) -> Option<&'static Carrier> {
    match metadata.form(Word::thought_signature) {
        Some(form) => {
            let name = run.store.text(form);
            CARRIERS.iter().find(|carrier| carrier.name == name)
        }
        None => run.route.is_response.then_some(&GOOGLE),
    }
}

/// Writes the signature if its place is in the call.
pub fn write_in_call(run: &mut Run, object: &mut Writing, metadata: &Metadata) {
    let Some(signature) = metadata.thought_signature() else { return };
    let Some(carrier) = carrier(run, metadata) else { return };
    // written here or in the function
    object.skip(run, Word::thought_signature);
    if let ([first, ..], false) = (carrier.path, carrier.in_function) {
        put(run, object, carrier.path, signature, metadata.family_field(*first));
    }
}

/// Writes the signature if its place is in the function.
pub fn write_in_function(run: &mut Run, function: &mut Writing, metadata: &Metadata) {
    let Some(signature) = metadata.thought_signature() else { return };
    let Some(carrier) = carrier(run, metadata).filter(|carrier| carrier.in_function) else { return };
    let rest = metadata.family_field(Word::function);
    let rest = carrier.path.first().and_then(|first| run.member(rest?, *first));
    put(run, function, carrier.path, signature, rest);
}

/// `rest` is the original value of the path's first word.
fn put(run: &mut Run, object: &mut Writing, path: &[Word], signature: Value, rest: Option<Value>) {
    match path {
        [] => {}
        [last] => object.put(run, *last, signature),
        [first, more @ ..] => {
            object.object(run, *first, |run, inner| {
                let nested = more.first().and_then(|next| run.member(rest?, *next));
                put(run, inner, more, signature, nested);
                inner.add_rest(run, rest);
            });
        }
    }
}
