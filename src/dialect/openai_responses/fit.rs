//! What Responses accepts (WIRE §2.10).

pub use super::fit_messages::{block, messages, response};
use crate::fit::tools::{self, ToolFields};
use crate::fit::{reasoning, settings};
use crate::model::{Metadata, Request};
use crate::run::{Result, Run};
use crate::value::{Kind, Word};

pub const HOST: Option<fn(&mut Run, &mut Request)> = Some(fit_server);

/// What the server of a request that stays in its format requires.
fn fit_server(run: &mut Run, request: &mut Request) {
    if run.route.has_target_facts() {
        reasoning::fit_openai(run, &mut request.settings);
    }
}
pub const MODEL: Option<fn(&mut Run, &mut Request, ToolFields)> = None;

pub fn request(run: &mut Run, request: &mut Request) -> Result<()> {
    messages(run, request)?;
    tools(run, request, ToolFields::Both);
    let settings = &mut request.settings;
    settings::fit(run, settings);
    reasoning::fit_openai(run, settings);
    settings::name_schema(run, settings);
    fit_stream_options(run, &mut request.metadata);
    Ok(())
}

/// This format always sends the usage, and rejects a request for it.
fn fit_stream_options(run: &mut Run, metadata: &mut Metadata) {
    let options = metadata.family_field(Word::stream_options);
    let Some(options) = options.filter(|options| run.store.kind(*options) == Kind::Object) else { return };
    let rest = run.build_object(|run, inner| {
        inner.skip(run, Word::include_usage);
        inner.add_rest(run, Some(options));
    });
    let rest = Some(rest).filter(|rest| !run.is_void(*rest));
    metadata.set_family_field(Word::stream_options, rest);
}

pub fn tools(run: &mut Run, request: &mut Request, part: ToolFields) {
    tools::fit(run, request, part);
}
