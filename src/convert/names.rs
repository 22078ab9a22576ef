//! Rewrites tool names that the target does not accept, consistently in the whole request. The context restores them (Q31, Q32).

use crate::call_ids;
use crate::format::Limits;
use crate::model::{Message, Request, Tool, ToolChoice};
use crate::run::{At, ErrorCode, Result, Run, WarningCode};
use crate::value::text::{is_plain, plain};
use crate::value::{Keyed, Keys, Kind, Value, Word};

/// The rewritten name of each name that was changed.
pub type Rewritten = Keyed<String>;

/// Makes the names of tools, calls, results and choice legal for the target.
pub fn fit(run: &mut Run, request: &mut Request, limits: &Limits) -> Result<Rewritten> {
    let has_several = request.tools.as_ref().is_some_and(|tools| tools.len() > 1);
    if limits.names_are_unique && has_several {
        refuse_twins(run, request)?;
    }
    Ok(rewrite(run, request, limits))
}

/// Rejects duplicate tool names: a call could not be attributed to one of the tools.
fn refuse_twins(run: &mut Run, request: &Request) -> Result<()> {
    let mut taken = Keys::default();
    for tool in request.tools.iter().flatten() {
        let (name, at) = match tool {
            Tool::Definition(definition) => (Some(definition.name), definition.at),
            Tool::Native(native) if Some(native.provider) == run.route.to.provider() => {
                (run.member(native.value, Word::name), native.at)
            }
            Tool::Native(_) => continue,
        };
        let Some(name) = name.filter(|name| run.store.kind(*name) == Kind::String) else { continue };
        let name = run.store.text(name);
        if !taken.add(name.as_bytes()) {
            let why = format!("the target does not accept two tools with the name {name}");
            let at = place(run, at);
            return run.fail(ErrorCode::InvalidValue, at, &why);
        }
    }
    Ok(())
}

fn rewrite(run: &mut Run, request: &mut Request, limits: &Limits) -> Rewritten {
    let mut all_legal = true;
    visit(request, &mut |name, bearer| all_legal &= is_legal(limits, &run.store.text(*name), bearer));
    if all_legal {
        return Rewritten::default();
    }
    let (mut taken, mut illegal) = (Keys::default(), Keys::default());
    let mut seen: Vec<(String, At)> = Vec::new();
    visit(request, &mut |name, bearer| {
        let text = run.store.text(*name);
        if is_legal(limits, &text, bearer) {
            taken.add(text.as_bytes());
        } else if illegal.add(text.as_bytes()) {
            seen.push((text.into_owned(), bearer.at));
        }
    });
    let mut rewritten = Rewritten::default();
    for (name, at) in seen {
        let new = in_context(run, limits, &name, &mut taken).unwrap_or_else(|| replacement(limits, &name, &mut taken));
        warn(run, at, &new);
        rewritten.insert(name.as_bytes(), new);
    }
    visit(request, &mut |name, _| {
        let new = rewritten.get(run.store.text(*name).as_bytes());
        if let Some(new) = new {
            *name = run.store.string(new);
        }
    });
    rewritten
}

/// The name for `name` in the context, so that pieces that are converted separately use the same names.
fn in_context(run: &Run, limits: &Limits, name: &str, taken: &mut Keys) -> Option<String> {
    let context = run.options.context.as_ref()?;
    let is_usable = |wire: &str| context.namespaces.get(wire).is_none() && fits(limits, wire);
    let mut names = context.names.iter().filter(|(wire, original)| *original == name && is_usable(wire));
    let (wire, _) = names.next()?;
    taken.add(wire.as_bytes()).then(|| wire.to_owned())
}

/// Warns that the object at `bearer` gets another name.
pub fn warn(run: &mut Run, bearer: At, new: &str) {
    let at = place(run, bearer);
    run.warn(WarningCode::NameRewritten, at, &format!("the tool is sent with the name {new}"));
}

/// All tool names of a request.
pub fn all(run: &Run, request: &mut Request) -> Keys {
    let mut names = Keys::default();
    visit(request, &mut |name, _| {
        names.add(run.store.text(*name).as_bytes());
    });
    names
}

/// The position of a name. Each provider has the name in another place, so the position of the whole object is reported.
pub fn place(run: &mut Run, bearer: At) -> At {
    run.canonical_or(bearer, Word::name)
}

/// The kind of object that has the name, and its position.
#[derive(Clone, Copy)]
struct Bearer {
    at: At,
    is_result: bool,
}

impl Bearer {
    fn new(at: At) -> Bearer {
        Bearer { at, is_result: false }
    }
}

/// Visits every tool name of a request.
fn visit(request: &mut Request, act: &mut dyn FnMut(&mut Value, Bearer)) {
    for tool in request.tools.iter_mut().flatten() {
        if let Tool::Definition(definition) = tool {
            act(&mut definition.name, Bearer::new(definition.at));
        }
    }
    match &mut request.choice {
        Some((ToolChoice::Named(name), at)) => act(name, Bearer::new(*at)),
        Some((ToolChoice::Allowed { names, .. }, at)) => names.iter_mut().for_each(|name| act(name, Bearer::new(*at))),
        Some((ToolChoice::Auto | ToolChoice::None | ToolChoice::Required | ToolChoice::Native { .. }, _)) | None => {}
    }
    for message in &mut request.messages {
        match message {
            Message::Assistant(assistant) => {
                assistant.calls_mut().for_each(|call| act(&mut call.name, Bearer::new(call.at)));
            }
            Message::Tool(result) => act(&mut result.name, Bearer { at: result.at, is_result: true }),
            Message::System(_) | Message::User(_) => {}
        }
    }
}

/// Whether the target accepts the name. Only results may be without one, although models also make calls with an empty name.
fn is_legal(limits: &Limits, name: &str, bearer: Bearer) -> bool {
    limits.longest_name == 0 || name.is_empty() && bearer.is_result || fits(limits, name)
}

fn fits(limits: &Limits, name: &str) -> bool {
    let is_short = !name.is_empty() && name.len() <= limits.longest_name;
    is_short && starts_well(limits, name) && is_plain(name, limits.name_marks)
}

fn starts_well(limits: &Limits, name: &str) -> bool {
    !limits.name_starts_with_letter || name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
}

/// A legal name in place of another one, with a hash of the original. It depends on the original alone, so that a piece of a request gets the same
/// name as the whole, and `a.b` never gets the name of another tool, `a_b`. A legal name is kept unless it is taken; an empty one becomes `_`.
pub fn replacement(limits: &Limits, name: &str, taken: &mut Keys) -> String {
    let mut plain = plain(name, limits.name_marks);
    if plain.is_empty() || !starts_well(limits, &plain) {
        plain.insert(0, '_');
    }
    let longest = if limits.longest_name == 0 { usize::MAX } else { limits.longest_name };
    let mut occurrence = 0;
    loop {
        let candidate = if occurrence == 0 && (plain == name || name.is_empty()) && plain.len() <= longest {
            plain.clone()
        } else {
            let hash = call_ids::replacement(name, occurrence);
            let suffix = hash.get(3..9).unwrap_or_default();
            let rest = longest.saturating_sub(suffix.len() + 1);
            format!("{}_{suffix}", plain.get(..rest.min(plain.len())).unwrap_or_default())
        };
        if taken.add(candidate.as_bytes()) {
            return candidate;
        }
        occurrence += 1;
    }
}
