//! What the target's server accepts otherwise than the provider of its format, by the facts about it ([`crate::servers`]). Unlike the rules of formats,
//! it holds for requests that stay in their format, too: their client need not know the server.

use super::reasoning::Thinking;
use super::settings::drop_with;
use super::tools::keep_named;
use crate::model::{
    Assistant, Block, Call, Content, Message, Metadata, Outcome, Reasoning, Request, ResponseFormat, Setting, Tool,
    ToolChoice,
};
use crate::run::{At, Made, Run, WarningCode};
use crate::servers::ServerFacts;
use crate::servers::facts::{ChoiceForm, Replayed};
use crate::value::{Value, Word};

/// Makes a request what the target's server accepts. Nothing, without such a server.
pub fn fit(run: &mut Run, request: &mut Request) {
    if !run.route.has_target_facts() {
        return;
    }
    let facts = run.route.target_facts();
    drop_refused(run, request);
    if facts.strict == Some(false) {
        drop_strict(run, request);
    }
    if facts.json_schema == Some(false) {
        drop_schema(run, request);
    }
    if facts.freeform_tools == Some(false) {
        make_functions(run, request);
    }
    fit_choice(run, request, &facts);
    if facts.text_as_string == Some(true) {
        for message in &mut request.messages {
            join_texts(run, message);
        }
    }
}

/// Adds what the target's server requires beside what the request states, when everything else has been fitted.
pub fn complete(run: &mut Run, request: &mut Request) {
    if !run.route.has_target_facts() {
        return;
    }
    let facts = run.route.target_facts();
    let is_off = request.settings.reasoning.as_ref().and_then(|asked| Thinking::of(run, asked)) == Some(Thinking::Off);
    for message in &mut request.messages {
        if let Message::Assistant(assistant) = message {
            match facts.replay {
                Some(Replayed::Always) if !is_off => add_reasoning(run, assistant),
                Some(Replayed::Never) => drop_reasoning(run, assistant),
                Some(Replayed::Always | Replayed::Given) | None => {}
            }
        }
    }
    let is_streamed = request.settings.get(Setting::Stream).is_some_and(|(stream, _)| run.store.boolean(stream));
    let has_calls = request.tools.iter().flatten().next().is_some();
    if facts.tool_stream == Some(true) && is_streamed && has_calls {
        request.metadata.make(Word::tool_stream, Made::True);
    }
}

/// Adds an empty reasoning to a message without any.
fn add_reasoning(run: &mut Run, assistant: &mut Assistant) {
    if assistant.blocks().iter().any(|block| matches!(block, Block::Reasoning(_))) {
        return;
    }
    let at = assistant.at;
    let empty = run.store.string("");
    let reasoning = Block::Reasoning(Reasoning::of_text(at, run.route.source_provider(), empty));
    let content = std::mem::replace(&mut assistant.content, Content::Blocks(vec![reasoning]));
    if let Content::Blocks(blocks) = &mut assistant.content {
        match content {
            Content::Blocks(others) => blocks.extend(others),
            Content::Text(text, _) if run.store.is_empty(text) => {}
            Content::Text(text, at) => blocks.push(Block::Text { at, text, metadata: Metadata::default() }),
        }
    }
}

fn drop_reasoning(run: &mut Run, assistant: &mut Assistant) {
    if let Content::Blocks(blocks) = &mut assistant.content {
        blocks.retain(|block| {
            if let Block::Reasoning(reasoning) = block {
                warn(
                    run,
                    WarningCode::ReasoningDropped,
                    reasoning.at,
                    "replay",
                    "the server does not accept earlier reasoning",
                );
            }
            !matches!(block, Block::Reasoning(_))
        });
    }
}

/// Reports what follows from a fact about the server.
fn warn(run: &mut Run, code: WarningCode, at: At, fact: &str, message: &str) {
    let server = run.route.server.map_or("", |server| server.base.name());
    run.warn(code, at, &[message, " (", server, ": ", fact, ")"].concat());
}

/// Drops the settings that are refused. Fields that are not modelled are left out when they are written.
fn drop_refused(run: &mut Run, request: &mut Request) {
    let format = run.route.to.format();
    if run.route.refuses(Word::parallel_tool_calls)
        && let Some((false, at)) = request.parallel.take()
    {
        warn(run, WarningCode::ParallelDropped, at, "refused", "the server can't turn off parallel calls");
    }
    for setting in Setting::ALL {
        let mut paths = format.settings.iter().filter(|(known, _, _)| known == setting).map(|(_, path, _)| path);
        if paths.any(|path| path.iter().any(|word| run.route.refuses(*word))) {
            drop_with(run, &mut request.settings, *setting, |run, at| {
                warn(run, WarningCode::SettingDropped, at, "refused", "the server does not have this setting");
            });
        }
    }
}

fn drop_strict(run: &mut Run, request: &mut Request) {
    for tool in request.tools.iter_mut().flatten() {
        if let Tool::Definition(definition) = tool
            && let Some((true, at)) = definition.strict.take()
        {
            warn(run, WarningCode::StrictDropped, at, "strict", "the server has no strict tools");
        }
    }
}

/// Asks for JSON instead of JSON of a schema.
fn drop_schema(run: &mut Run, request: &mut Request) {
    let Some((format @ ResponseFormat::Schema { .. }, at)) = &mut request.settings.response_format else { return };
    let at = *at;
    *format = ResponseFormat::Json;
    let message = "the server can't make a response match a schema: JSON of any kind is asked for";
    warn(run, WarningCode::SettingChanged, at, "jsonSchema", message);
    request.metadata.set_family_field(Word::response_format, None);
}

/// Makes freeform tools, and calls of them, functions with a single text. What their text must look like is lost.
fn make_functions(run: &mut Run, request: &mut Request) {
    for tool in request.tools.iter_mut().flatten() {
        let Tool::Definition(definition) = tool else { continue };
        let (at, mark) = (definition.at, definition.metadata.family_field(Word::custom));
        let Some(mark) = mark else { continue };
        for member in run.members(mark) {
            let at = run.family_at(at);
            let at = run.down(at, Word::custom);
            let at = run.down(at, member.word);
            if !run.is_void(member.value) {
                warn(run, WarningCode::FieldDropped, at, "freeformTools", "the server has no freeform tools");
            }
        }
        definition.metadata.set_family_field(Word::custom, None);
    }
    for message in &mut request.messages {
        if let Message::Assistant(assistant) = message {
            assistant.calls_mut().for_each(forget_mark);
        }
    }
}

fn forget_mark(call: &mut Call) {
    call.metadata.set_family_field(Word::custom, None);
}

/// Replaces a form of tool choice that the server does not have.
fn fit_choice(run: &mut Run, request: &mut Request, facts: &ServerFacts) {
    let (Some(forms), Some((choice, at))) = (facts.tool_choices, request.choice.clone()) else { return };
    let instead = match choice {
        ToolChoice::Auto | ToolChoice::Native { .. } => return,
        ToolChoice::None if forms.has(ChoiceForm::None) => return,
        ToolChoice::Required if forms.has(ChoiceForm::Required) => return,
        ToolChoice::Named(_) if forms.has(ChoiceForm::Named) => return,
        ToolChoice::Allowed { .. } if forms.has(ChoiceForm::Allowed) => return,
        ToolChoice::None => {
            keep_named(run, request, &[], at);
            None
        }
        ToolChoice::Required => None,
        ToolChoice::Named(name) => {
            keep_named(run, request, &[name], at);
            Some(ToolChoice::Required)
        }
        ToolChoice::Allowed { names, required } => {
            keep_named(run, request, &names, at);
            required.then_some(ToolChoice::Required)
        }
    };
    let can_require = forms.has(ChoiceForm::Required);
    if !can_require
        && !matches!(request.choice, Some((ToolChoice::None | ToolChoice::Allowed { required: false, .. }, _)))
    {
        let message = "the server has no way to require a call";
        warn(run, WarningCode::SettingDropped, at, "toolChoices", message);
    }
    request.choice = instead.filter(|_| can_require).map(|choice| (choice, at));
    request.metadata.set_family_field(Word::tool_choice, None);
}

/// Joins the parts of a content that are texts only.
fn join_texts(run: &mut Run, message: &mut Message) {
    match message {
        Message::System(prose) | Message::User(prose) => join_content(run, &mut prose.content),
        Message::Assistant(assistant) => {
            if !assistant.blocks().is_empty() {
                join_assistant(run, &mut assistant.content, &mut assistant.metadata);
            }
        }
        Message::Tool(result) => {
            if let Outcome::Multimodal { blocks, .. } = &result.outcome
                && let Some(text) = joined(run, blocks)
            {
                result.outcome = Outcome::Text(text);
            }
        }
    }
}

fn join_content(run: &mut Run, content: &mut Content) {
    if let Content::Blocks(blocks) = content
        && let (Some(text), Some(first)) = (joined(run, blocks), blocks.first())
    {
        *content = Content::Text(text, first.at());
    }
}

/// The texts of an assistant's message become one, in the place of the first.
fn join_assistant(run: &mut Run, content: &mut Content, metadata: &mut Metadata) {
    let Content::Blocks(blocks) = content else { return };
    let is_text = |block: &&Block| matches!(block, Block::Text { .. });
    let texts: Vec<Block> = blocks.iter().filter(is_text).cloned().collect();
    metadata.forget_form(Word::content);
    let Some(text) = joined(run, &texts).filter(|_| texts.len() > 1) else { return };
    let mut is_first = true;
    blocks.retain_mut(|block| match block {
        Block::Text { text: first, .. } if is_first => {
            (*first, is_first) = (text, false);
            true
        }
        Block::Text { .. } => false,
        _ => true,
    });
}

/// The texts of blocks that are nothing else. None for others.
fn joined(run: &mut Run, blocks: &[Block]) -> Option<Value> {
    let mut texts = Vec::new();
    for block in blocks {
        let Block::Text { at, text, metadata } = block else { return None };
        run.warn_family(metadata, *at);
        texts.push(run.store.owned_text(*text));
    }
    (!texts.is_empty()).then(|| run.store.string(&texts.concat()))
}
