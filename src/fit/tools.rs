//! Tools and tool choice.

use crate::fit::native;
use crate::format::Layout;
use crate::model::{Native, Request, Setting, Tool, ToolChoice};
use crate::run::{At, Provider, Run, WarningCode};
use crate::value::{Keys, Kind, Value, Word};

/// Which of the two is converted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum ToolFields {
    Tools,
    Choice,
    Both,
}

/// Drops tools and a choice that only another provider understands, and everything that requires tools if there are none.
pub fn fit(run: &mut Run, request: &mut Request, part: ToolFields) {
    let format = run.route.to.format();
    let has_choice = request.choice.is_some();
    let lacks_choice = has_choice && !format.has(Setting::ToolChoice);
    if lacks_choice {
        keep_chosen(run, request);
    } else {
        keep_allowed(run, request);
    }
    drop_foreign(run, request);
    if part == ToolFields::Both {
        require_tools(run, request);
    }
    drop_foreign_choice(run, request);
    if request.parallel.is_some() && !format.has(Setting::ParallelToolCalls) {
        drop_parallel(run, request);
    }
    if lacks_choice && let Some((choice, at)) = request.choice.take() {
        warn_choice(run, (&choice, at), part);
    }
}

/// Keeps the tools that the choice allows, for a target without a choice (Q46, Q53).
fn keep_chosen(run: &mut Run, request: &mut Request) {
    match request.choice.clone() {
        Some((ToolChoice::None, at)) => keep_named(run, request, &[], at),
        Some((ToolChoice::Named(name), at)) => keep_named(run, request, &[name], at),
        Some((ToolChoice::Allowed { names, .. }, at)) => keep_named(run, request, &names, at),
        Some((ToolChoice::Auto | ToolChoice::Required | ToolChoice::Native { .. }, _)) | None => {}
    }
}

/// Keeps the tools of an allow-list, for a target with other choices only (Q53).
fn keep_allowed(run: &mut Run, request: &mut Request) {
    if let Some((ToolChoice::Allowed { names, required }, at)) = request.choice.clone()
        && run.route.to.format().is_foreign(Word::allowed_tools)
    {
        keep_named(run, request, &names, at);
        request.choice = required.then_some((ToolChoice::Required, at));
    }
}

/// Reports what the choice requires apart from leaving tools out.
fn warn_choice(run: &mut Run, (choice, at): (&ToolChoice, At), part: ToolFields) {
    let message = match choice {
        ToolChoice::Auto | ToolChoice::Native { .. } => return,
        _ if part == ToolFields::Choice => "the target has no tool choice",
        ToolChoice::None | ToolChoice::Allowed { required: false, .. } => return,
        ToolChoice::Required | ToolChoice::Named(_) | ToolChoice::Allowed { required: true, .. } => {
            "the target has no way to require a call"
        }
    };
    run.warn(WarningCode::SettingDropped, at, message);
}

fn drop_foreign(run: &mut Run, request: &mut Request) {
    let Some(tools) = &mut request.tools else { return };
    tools.retain(|tool| match tool {
        Tool::Definition(_) => true,
        Tool::Native(native) if native::is_accepted(run, native) => true,
        Tool::Native(native) => {
            let members = run.members(native.value);
            if members.is_empty() || members.iter().any(|member| run.store.kind(member.value) != Kind::Null) {
                native::warn_tool(run, native.at);
            }
            false
        }
    });
}

/// Every provider rejects a choice and the control of parallel calls without tools, so they are dropped (Q29, Q30).
fn require_tools(run: &mut Run, request: &mut Request) {
    if request.tools.iter().flatten().next().is_none() {
        warn_choice_without_tools(run, request);
        request.choice = None;
        request.parallel = None;
    }
}

/// Drops a choice that only another provider understands, or another format of the same provider.
fn drop_foreign_choice(run: &mut Run, request: &mut Request) {
    if let Some((ToolChoice::Native { provider, value }, at)) = request.choice
        && !takes_choice(run, provider, value)
    {
        run.warn(WarningCode::NativeDropped, at, "this choice is not converted: only its own provider gets it");
        request.choice = None;
    }
}

/// Whether the target understands a native choice. In OpenAI's formats, the form of an allow-list shows which of them it belongs to.
fn takes_choice(run: &mut Run, provider: Provider, value: Value) -> bool {
    let Some(layout) = run.route.to.format().layout else { return run.route.leads_home(provider) };
    let is_nested = run.member(value, Word::allowed_tools).is_some();
    let is_here = match layout {
        Layout::Nested => is_nested || run.type_of(value) != Word::allowed_tools,
        Layout::Flat => !is_nested,
    };
    is_here && native::is_value_accepted(run, provider, value)
}

/// Drops the control of parallel calls, which the target does not have.
pub fn drop_parallel(run: &mut Run, request: &mut Request) {
    if let Some((false, at)) = request.parallel.take() {
        run.warn(WarningCode::ParallelDropped, at, "the target can't turn off parallel calls");
    }
}

/// Whether the target gets the tool. Tools that only another provider understands are left out.
pub fn is_sent(run: &mut Run, tool: &Tool) -> bool {
    match tool {
        Tool::Definition(_) => true,
        Tool::Native(native) => native::is_accepted(run, native),
    }
}

/// Whether the target gets any tools.
pub fn are_sent(run: &mut Run, request: &Request) -> bool {
    request.tools.iter().flatten().any(|tool| is_sent(run, tool))
}

/// The name by which a choice refers to a native tool.
pub fn native_name(run: &mut Run, native: &Native) -> Option<Value> {
    let name = run.member(native.value, Word::name)?;
    (run.store.kind(name) == Kind::String).then_some(name)
}

/// The names by which a choice refers to a native tool: its own, or those of the functions in a namespace.
pub fn native_names(run: &mut Run, native: &Native) -> Vec<Value> {
    let mut names: Vec<Value> = native_name(run, native).into_iter().collect();
    let tools = run.member(native.value, Word::tools).filter(|_| run.type_of(native.value) == Word::namespace);
    if let Some(tools) = tools.filter(|tools| run.store.kind(*tools) == Kind::Array) {
        for tool in run.list(tools) {
            let name = if run.store.kind(tool) == Kind::Object { run.member(tool, Word::name) } else { None };
            names.extend(name.filter(|name| run.store.kind(*name) == Kind::String));
        }
    }
    names
}

/// Keeps only the tools with these names, for a target without allow-lists. `at` is the position of the choice.
pub fn keep_named(run: &mut Run, request: &mut Request, names: &[Value], at: At) {
    let mut allowed = Keys::default();
    for name in names {
        allowed.add(run.store.text(*name).as_bytes());
    }
    let Some(tools) = &mut request.tools else { return };
    let count = tools.len();
    tools.retain(|tool| {
        let name = match tool {
            Tool::Definition(definition) => Some(definition.name),
            Tool::Native(native) => native_name(run, native),
        };
        name.is_some_and(|name| allowed.has(run.store.text(name).as_bytes()))
    });
    if tools.len() < count {
        run.warn(WarningCode::ToolsFiltered, at, "the target has no allow-list: the other tools were left out");
    }
}

/// Whether the choice requires a call.
pub fn is_forced(choice: &ToolChoice) -> bool {
    match choice {
        ToolChoice::Required | ToolChoice::Named(_) | ToolChoice::Allowed { required: true, .. } => true,
        ToolChoice::Auto | ToolChoice::None | ToolChoice::Allowed { .. } | ToolChoice::Native { .. } => false,
    }
}

/// Whether the model must make a call.
pub fn forces_a_call(run: &mut Run, request: &Request) -> bool {
    let is_forced = request.choice.as_ref().is_some_and(|(choice, _)| is_forced(choice));
    is_forced && are_sent(run, request)
}

/// Every provider rejects a choice without tools, so it is dropped (Q29, Q30).
fn warn_choice_without_tools(run: &mut Run, request: &Request) {
    match request.choice {
        Some((ToolChoice::Native { provider, .. }, at)) if !run.route.leads_home(provider) => {
            run.warn(WarningCode::NativeDropped, at, "this choice is not converted: only its own provider gets it");
        }
        Some((
            ToolChoice::Required | ToolChoice::Named(_) | ToolChoice::Allowed { .. } | ToolChoice::Native { .. },
            at,
        )) => run.warn(WarningCode::ChoiceDropped, at, "a tool choice requires tools"),
        Some((ToolChoice::Auto | ToolChoice::None, _)) | None => {}
    }
}
