//! Where the model is hosted decides what stands in the body, and what in the address or a header (WIRE §3.11).

use crate::dialect::shared::tools::native_name;
use crate::model::{Metadata, Native, Request, Setting, Settings, Tool, ToolChoice};
use crate::run::{AnthropicVersion, At, Dialect, Platform, Provider, Run, WarningCode, Writing};
use crate::value::{Value, Word};
use std::borrow::Cow;

/// A host that names the model in the address and the version in the body.
struct Host {
    /// Its name for version 2023-06-01 of the API (WIRE §13).
    version: &'static str,
    /// Whether `stream` stands in the body, not in the address.
    takes_stream: bool,
    /// Whether beta features stand in the body, not in a header.
    takes_betas: bool,
    /// Types of tools that Anthropic runs and the host does not, by what they begin with (Q36).
    lacks: &'static [&'static str],
}

const BEDROCK: Host = Host {
    version: "bedrock-2023-05-31",
    takes_stream: false,
    takes_betas: true,
    lacks: &["web_search_", "web_fetch_", "code_execution_", "advisor_", "mcp_toolset"],
};
const VERTEX: Host = Host {
    version: "vertex-2023-10-16",
    takes_stream: true,
    takes_betas: false,
    lacks: &["web_fetch_", "code_execution_", "advisor_", "mcp_toolset"],
};

fn host(run: &Run) -> Option<&'static Host> {
    run.options.platform.map(|platform| match platform {
        Platform::Bedrock => &BEDROCK,
        Platform::Vertex => &VERTEX,
    })
}

/// Writes what stands in one host's bodies only.
pub fn write(run: &mut Run, object: &mut Writing, settings: &Settings, metadata: &Metadata, at: At) {
    let Some(host) = host(run) else {
        object.option(run, Word::model, settings.get(Setting::Model).map(|(model, _)| model));
        return;
    };
    write_version(run, object, host, metadata, at);
    let betas = metadata.family_field(Word::anthropic_beta).filter(|_| run.keeps_family());
    if let Some(betas) = betas.filter(|_| !host.takes_betas) {
        if !run.says_nothing(betas) {
            let at = run.family_at(at);
            let at = run.down(at, Word::anthropic_beta);
            run.warn(WarningCode::FieldDropped, at, "this host takes beta features in the header anthropic-beta");
        }
        object.skip(Word::anthropic_beta);
    }
}

/// The version that was asked for, else the one that the body came with, else the host's own.
fn write_version(run: &mut Run, object: &mut Writing, host: &Host, metadata: &Metadata, at: At) {
    let given = metadata.family_field(Word::anthropic_version).filter(|_| run.keeps_family());
    match (run.options.anthropic_version, given) {
        (Some(AnthropicVersion::V20261021), _) => {
            object.text(run, Word::anthropic_version, AnthropicVersion::V20261021.text());
        }
        (Some(AnthropicVersion::V20230601), _) | (None, None) => object.text(run, Word::anthropic_version, host.version),
        (None, Some(given)) if is_of_another(&run.store.text(given), host) => {
            let at = run.family_at(at);
            let at = run.down(at, Word::anthropic_version);
            run.warn(WarningCode::StateDropped, at, "this version is another host's");
            object.text(run, Word::anthropic_version, host.version);
        }
        (None, Some(given)) => object.put(run, Word::anthropic_version, given),
    }
}

fn is_of_another(version: &str, host: &Host) -> bool {
    version != host.version && [BEDROCK, VERTEX].iter().any(|other| other.version == version)
}

/// The request without what the host refuses; what came from a user of the host itself stays as it is.
pub fn fitting<'a>(run: &mut Run, request: &'a Request) -> Cow<'a, Request> {
    let Some(host) = host(run).filter(|host| !is_of_its_own_user(run, request, host)) else {
        return Cow::Borrowed(request);
    };
    let mut fitting = Cow::Borrowed(request);
    let tools = request.tools.as_deref().unwrap_or_default();
    let gone = tools_it_lacks(run, host, tools);
    if !gone.is_empty() {
        let changed = fitting.to_mut();
        changed.tools = Some(without(tools, &gone));
        drop_choice_of(run, changed, &gone);
    }
    let servers = request.metadata.family_field(Word::mcp_servers).filter(|_| run.keeps_family());
    if let Some(servers) = servers.filter(|_| host.lacks.contains(&"mcp_toolset")) {
        if !run.says_nothing(servers) {
            let at = run.family_at(request.at);
            let at = run.down(at, Word::mcp_servers);
            run.warn(WarningCode::FieldDropped, at, "this host reaches no MCP servers");
        }
        fitting.to_mut().metadata.set_family_field(Word::mcp_servers, None);
    }
    fitting
}

/// Tools alone without those that the host does not run.
pub fn fitting_tools<'a>(run: &mut Run, tools: &'a [Tool]) -> Cow<'a, [Tool]> {
    let Some(host) = host(run) else { return Cow::Borrowed(tools) };
    let gone = tools_it_lacks(run, host, tools);
    if gone.is_empty() { Cow::Borrowed(tools) } else { Cow::Owned(without(tools, &gone)) }
}

fn is_of_its_own_user(run: &Run, request: &Request, host: &Host) -> bool {
    let given = request.metadata.family_field(Word::anthropic_version).filter(|_| run.from == Dialect::Anthropic);
    given.is_some_and(|given| run.store.text(given) == host.version)
}

fn tools_it_lacks(run: &mut Run, host: &Host, tools: &[Tool]) -> Vec<Native> {
    let mut gone = Vec::new();
    for tool in tools {
        match tool {
            Tool::Native(native) if is_lacking(run, host, native) => {
                run.warn(WarningCode::NativeDropped, native.at, "this host does not run this tool");
                gone.push(native.clone());
            }
            Tool::Native(_) | Tool::Definition(_) => {}
        }
    }
    gone
}

fn without(tools: &[Tool], gone: &[Native]) -> Vec<Tool> {
    let is_gone = |tool: &&Tool| matches!(tool, Tool::Native(native) if gone.iter().any(|gone| gone.at == native.at));
    tools.iter().filter(|tool| !is_gone(tool)).cloned().collect()
}

fn is_lacking(run: &mut Run, host: &Host, native: &Native) -> bool {
    if native.provider != Provider::Anthropic {
        return false;
    }
    let Some(kind) = run.member(native.value, Word::r#type) else { return false };
    let kind = run.store.text(kind);
    host.lacks.iter().any(|beginning| kind.starts_with(beginning))
}

fn drop_choice_of(run: &mut Run, request: &mut Request, gone: &[Native]) {
    let Some((ToolChoice::Named(name), at)) = request.choice else { return };
    let names: Vec<Value> = gone.iter().filter_map(|native| native_name(run, native)).collect();
    if names.iter().any(|gone| run.store.text(*gone) == run.store.text(name)) {
        run.warn(WarningCode::ChoiceDropped, at, "the choice names a tool that this host does not run");
        request.choice = None;
    }
}

/// Whether `stream` stands in the body.
pub fn takes_stream(run: &Run) -> bool {
    host(run).is_none_or(|host| host.takes_stream)
}

/// Whether the version that the body obeys has sampling settings (WIRE §3.0). Hosts speak the older one unless told otherwise.
pub fn takes_sampling(run: &Run, metadata: &Metadata) -> bool {
    if let Some(version) = run.options.anthropic_version {
        return version == AnthropicVersion::V20230601;
    }
    let given = metadata.family_field(Word::anthropic_version).filter(|_| run.keeps_family());
    match given {
        Some(given) => run.store.text(given) != AnthropicVersion::V20261021.text(),
        None => host(run).is_some(),
    }
}
