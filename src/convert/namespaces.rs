//! Functions in namespaces, which only OpenAI Responses has. Other targets get functions whose names include the namespace (Q39).

use super::{grammars, names, tool_search};
use crate::dialect;
use crate::dialect::shared::freeform;
use crate::format::Limits;
use crate::model::{
    Block, Call, Content, Definition, Message, Metadata, Native, Request, Tool, ToolChoice, ToolResult,
};
use crate::run::{At, Key, Leaves, Provider, Result, Run, WarningCode};
use crate::value::{Keyed, Keys, Kind, Value, Word, keyed::pair};

/// What the context needs to restore names, by the names that the target gets.
#[derive(Default)]
pub struct Flattened {
    pub names: Vec<Name>,
    /// The names of freeform tools in namespaces, and of those in items of the conversation.
    pub freeform: Vec<String>,
    /// Whether the client's tool search is sent as a function.
    pub searches: bool,
}

/// A name in a namespace, and the name that the target gets for it.
pub struct Name {
    pub namespace: String,
    pub name: String,
    pub wire: String,
}

/// Takes functions, calls and choice out of their namespaces, if the target has none.
pub fn flatten(run: &mut Run, request: &mut Request) -> Result<Flattened> {
    let limits = &run.route.to.format().limits;
    if limits.namespaces {
        return Ok(Flattened::default());
    }
    let (searches, found) = tool_search::take(run, request)?;
    let freeform = gather_additional(run, request, found)?;
    let flattened = Flattened { freeform, searches, ..Flattened::default() };
    if !has_any(run, request) {
        return Ok(flattened);
    }
    let taken = names::all(run, request);
    let mut flattening = Flattening { limits, taken, known: Keys::default(), wire: Keys::default(), flattened };
    flattening.tools(run, request)?;
    flattening.messages(run, &mut request.messages);
    Ok(flattening.flattened)
}

/// Adds the tools from items of the conversation (`additional_tools`, and those of searches, which are `found`) to the request's tools. Returns the names
/// of freeform ones.
fn gather_additional(run: &mut Run, request: &mut Request, found: Vec<Native>) -> Result<Vec<String>> {
    let mut freeform = Vec::new();
    let mut items = Vec::new();
    request.messages.retain_mut(|message| {
        let Message::Assistant(assistant) = message else { return true };
        let Content::Blocks(blocks) = &mut assistant.content else { return true };
        let count = blocks.len();
        blocks.retain(|block| match block {
            Block::Native(native) if holds_tools(run, native) => {
                items.push(native.clone());
                false
            }
            _ => true,
        });
        count == blocks.len() || !blocks.is_empty() || !assistant.calls.is_empty()
    });
    items.extend(found);
    for native in items {
        let place = run.canonical_or(native.at, Word::value);
        let mut item = run.object(native.value, place)?;
        let list = item.take_at(run, Word::tools);
        item.skip(&[Word::r#type, Word::role, Word::call_id, Word::execution, Word::status, Word::id]);
        run.warn_fields(&item.rest(), place);
        let Some((list, at)) = list else { continue };
        let tools = dialect::openai_responses::tools::read_tools(run, list, at, &mut Metadata::default())?;
        for mut tool in tools {
            match &mut tool {
                Tool::Definition(definition) => {
                    if freeform::mark(&definition.metadata).is_some() {
                        freeform.push(run.store.owned_text(definition.name));
                    }
                    definition.metadata.leave(Leaves::Format);
                    drop_freeform_fields(run, definition, native.provider);
                }
                Tool::Native(inner) => inner.provider = native.provider,
            }
            request.tools.get_or_insert_default().push(tool);
        }
    }
    Ok(freeform)
}

fn holds_tools(run: &mut Run, native: &Native) -> bool {
    native.provider.has_openai_format() && run.type_of(native.value) == Word::additional_tools
}

fn has_any(run: &mut Run, request: &Request) -> bool {
    let in_tools = request.tools.iter().flatten().any(|tool| match tool {
        Tool::Native(native) => is_namespace(run, native),
        Tool::Definition(_) => false,
    });
    in_tools
        || request.choice.is_some() && is_piece_with_namespaces(run, request)
        || request.messages.iter().any(|message| match message {
            Message::Assistant(assistant) => assistant.calls().any(|call| namespace_of(run, &call.metadata).is_some()),
            Message::Tool(result) => namespace_of(run, &result.metadata).is_some(),
            Message::System(_) | Message::User(_) => false,
        })
}

/// Whether only a choice is converted: its tools are known from the context.
fn is_piece_with_namespaces(run: &Run, request: &Request) -> bool {
    let context = run.options.context.as_ref();
    request.tools.is_none() && context.is_some_and(|context| !context.namespaces.is_empty())
}

/// The names in the context for a function of `namespace`, or of any namespace.
fn in_context(run: &Run, name: &str, namespace: Option<&str>) -> Vec<String> {
    let Some(context) = &run.options.context else { return Vec::new() };
    let is_its = |wire: &str| match (context.namespaces.get(wire), namespace) {
        (Some(known), Some(namespace)) => known == namespace,
        (known, _) => known.is_some(),
    };
    let names = context.names.iter().filter(|(wire, original)| *original == name && is_its(wire));
    names.map(|(wire, _)| wire.to_owned()).collect()
}

fn is_namespace(run: &mut Run, native: &Native) -> bool {
    native.provider.has_openai_format() && run.type_of(native.value) == Word::namespace
}

/// The namespace of a call or result: a field of its item.
fn namespace_of(run: &mut Run, metadata: &Metadata) -> Option<Value> {
    if metadata.is_empty() {
        return None;
    }
    let is_direct = run.route.is_from_provider() && run.route.has_openai_fields();
    let direct = metadata.family_field(Word::namespace).filter(|_| is_direct);
    let item = run.openai_field(metadata, Word::item);
    let namespace = direct.or_else(|| run.field(item?, Word::namespace))?;
    (run.store.kind(namespace) == Kind::String && !run.store.is_empty(namespace)).then_some(namespace)
}

struct Flattening {
    limits: &'static Limits,
    taken: Keys,
    /// The names so far with their namespaces; and the names that the target gets.
    known: Keys,
    wire: Keys,
    flattened: Flattened,
}

impl Flattening {
    /// The name that the target gets. A warning is emitted for the first object that has the name.
    fn name(&mut self, run: &mut Run, namespace: Value, name: Value, bearer: At) -> Value {
        let (namespace, name) = (run.store.owned_text(namespace), run.store.owned_text(name));
        let place = self.known.place_or_add(&pair(&namespace, &name));
        if let Some(known) = self.flattened.names.get(place) {
            return run.store.string(&known.wire);
        }
        let known = in_context(run, &name, Some(&namespace)).into_iter().find(|wire| self.taken.add(wire.as_bytes()));
        let wire =
            known.unwrap_or_else(|| names::replacement(self.limits, &format!("{namespace}__{name}"), &mut self.taken));
        warn(run, bearer, &wire);
        let value = run.store.string(&wire);
        self.wire.add(wire.as_bytes());
        self.flattened.names.push(Name { namespace, name, wire });
        value
    }

    fn tools(&mut self, run: &mut Run, request: &mut Request) -> Result<()> {
        let is_choice_alone = request.tools.is_none();
        let mut tools = Vec::new();
        for tool in request.tools.take().into_iter().flatten() {
            match tool {
                Tool::Native(native) if is_namespace(run, &native) => self.functions(run, &native, &mut tools)?,
                tool => tools.push(tool),
            }
        }
        self.choice(run, request, &tools, is_choice_alone);
        request.tools = (!tools.is_empty()).then_some(tools);
        Ok(())
    }

    /// Adds the functions of a namespace. Each gets the description of the namespace before its own.
    fn functions(&mut self, run: &mut Run, native: &Native, tools: &mut Vec<Tool>) -> Result<()> {
        // those in items of the conversation are not tools of the canonical format
        let list = run.paths.parent(native.at);
        let is_top = list == At::ROOT || run.paths.parent(list) == At::ROOT;
        let at = if is_top { run.canonical_or(native.at, Word::value) } else { native.at };
        let namespace = dialect::openai_responses::tools::read_namespace(run, native.value, at)?;
        run.warn_fields(&namespace.rest, at);
        for tool in namespace.tools {
            let Tool::Definition(mut definition) = tool else {
                tools.push(tool);
                continue;
            };
            definition.name = self.name(run, namespace.name, definition.name, definition.at);
            definition.description = described(run, namespace.description, definition.description);
            definition.metadata.leave(Leaves::Format);
            if freeform::mark(&definition.metadata).is_some() {
                self.flattened.freeform.push(run.store.owned_text(definition.name));
            }
            drop_freeform_fields(run, &mut definition, native.provider);
            tools.push(Tool::Definition(definition));
        }
        Ok(())
    }

    /// A choice has no field for the namespace: a name that no other tool has refers to the functions with that name.
    fn choice(&self, run: &mut Run, request: &mut Request, tools: &[Tool], is_alone: bool) {
        let Some((choice, at)) = &mut request.choice else { return };
        let names = match choice {
            ToolChoice::Named(name) => vec![*name],
            ToolChoice::Allowed { names, .. } => std::mem::take(names),
            ToolChoice::Auto | ToolChoice::None | ToolChoice::Required | ToolChoice::Native { .. } => return,
        };
        let mut meant = Vec::new();
        for name in names {
            let text = run.store.owned_text(name);
            let in_context = if is_alone { in_context(run, &text, None) } else { Vec::new() };
            if let Some(first) = in_context.first() {
                warn(run, *at, first);
                meant.extend(in_context.iter().map(|wire| run.store.string(wire)));
            } else {
                self.add_meant(run, name, tools, &mut meant);
            }
        }
        match (choice, meant.as_slice()) {
            (ToolChoice::Named(name), [only]) => *name = *only,
            (ToolChoice::Allowed { names, .. }, _) => *names = meant,
            (choice, _) => *choice = ToolChoice::Allowed { names: meant, required: true },
        }
    }

    /// The names that the target gets for a name in a choice: the name itself if a tool has it, or if no function in a namespace does.
    fn add_meant(&self, run: &mut Run, name: Value, tools: &[Tool], meant: &mut Vec<Value>) {
        let text = run.store.owned_text(name);
        let is_borne = tools.iter().any(|tool| match tool {
            Tool::Definition(definition) => run.store.text(definition.name) == text,
            Tool::Native(_) => false,
        });
        let before = meant.len();
        for known in self.flattened.names.iter().filter(|known| !is_borne && known.name == text) {
            meant.push(run.store.string(&known.wire));
        }
        if meant.len() == before {
            meant.push(name);
        }
    }

    /// Renames calls, and results by the id of their call: results need not state the namespace.
    fn messages(&mut self, run: &mut Run, messages: &mut [Message]) {
        let mut by_id = Keyed::default();
        for message in messages {
            match message {
                Message::Assistant(assistant) => {
                    for call in assistant.calls_mut() {
                        self.call(run, call);
                        by_id.insert(run.store.text(call.id).as_bytes(), call.name);
                    }
                }
                Message::Tool(result) => self.result(run, result, &by_id),
                Message::System(_) | Message::User(_) => {}
            }
        }
    }

    fn call(&mut self, run: &mut Run, call: &mut Call) {
        if let Some(namespace) = namespace_of(run, &call.metadata) {
            call.name = self.name(run, namespace, call.name, call.at);
            call.metadata.retain_family(&mut |member| member.key.word() != Word::namespace);
        }
    }

    fn result(&mut self, run: &mut Run, result: &mut ToolResult, by_id: &Keyed<Value>) {
        let namespace = namespace_of(run, &result.metadata);
        let of_call = by_id.get(run.store.text(result.id).as_bytes()).copied();
        match (of_call, namespace) {
            (Some(name), _) if self.is_flattened(run, name) => result.name = name,
            (_, Some(namespace)) if !run.store.is_empty(result.name) => {
                result.name = self.name(run, namespace, result.name, result.at);
            }
            _ => return,
        }
        result.metadata.retain_family(&mut |member| member.key.word() != Word::namespace);
    }

    fn is_flattened(&self, run: &Run, name: Value) -> bool {
        self.wire.has(run.store.text(name).as_bytes())
    }
}

fn warn(run: &mut Run, bearer: At, new: &str) {
    let at = names::place(run, bearer);
    run.warn(WarningCode::NamespaceFlattened, at, &format!("the function is sent with the name {new}"));
}

/// The description of the namespace, followed by that of the function.
fn described(run: &mut Run, namespace: Option<Value>, function: Option<Value>) -> Option<Value> {
    let filled = |run: &Run, text: Option<Value>| text.filter(|text| !run.is_blank(*text));
    match (filled(run, namespace), filled(run, function)) {
        (Some(namespace), Some(function)) => {
            let between = run.store.string("\n\n");
            Some(run.store.join(&[namespace, between, function]))
        }
        (Some(namespace), None) => Some(namespace),
        (None, _) => function,
    }
}

/// In canonical input, the fields of a function in a namespace are inside a native tool, not under `metadata`. Fields that the target has no place
/// for are reported there. The provider's other formats have freeform tools, too.
fn drop_freeform_fields(run: &mut Run, definition: &mut Definition, provider: Provider) {
    if run.route.is_from_provider() {
        return;
    }
    let at = definition.at;
    let mut metadata = std::mem::take(&mut definition.metadata);
    if let Some(mark) = freeform::mark(&metadata) {
        metadata.set_family_field(Word::custom, None);
        if run.route.leads_to(provider) {
            definition.metadata.add(Key::Word(Word::custom), mark);
        } else {
            let at = run.down(at, Word::format);
            grammars::describe(run, definition, mark, at);
        }
    }
    run.warn_fields(&metadata, at);
}
