//! The report format has only calls and results.

pub use crate::dialect::canonical::fit::{HOST, MODEL, block, messages, response, tools};
use crate::fit::{settings, tools as fit};
use crate::model::{Request, Tool};
use crate::run::{NO_SETTING, Result, Run, WarningCode};
use crate::value::Word;

pub fn request(run: &mut Run, request: &mut Request) -> Result<()> {
    drop_tools(run, request);
    settings::drop_missing(run, &mut request.settings);
    Ok(())
}

fn drop_tools(run: &mut Run, request: &mut Request) {
    let is_legacy = |tool: &Tool| matches!(tool, Tool::Definition(tool) if tool.metadata.form(Word::legacy).is_some());
    // in canonical input, deprecated functions are in `tools` like all others
    let is_wire = run.route.is_from_provider();
    let tools = request.tools.take().unwrap_or_default();
    let path = run.route.from.format().tools;
    for (path, legacy) in [(path, false), ([Word::functions].as_slice(), true)] {
        if tools.iter().any(|tool| (is_wire && is_legacy(tool)) == legacy) {
            let at = path.iter().fold(request.at, |at, word| run.down(at, *word));
            run.warn(WarningCode::FieldDropped, at, "the target can contain calls and results only");
        }
    }
    if let Some((_, at)) = request.choice.take() {
        run.warn(WarningCode::SettingDropped, at, NO_SETTING);
    }
    if let Some((_, at)) = request.parallel {
        request.parallel = Some((false, at));
    }
    fit::drop_parallel(run, request);
}
