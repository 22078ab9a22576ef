//! Keeps finish reasons consistent with calls: a client that gets the reason `tool_calls` without a call would wait for ever.

use crate::model::{Block, Finish, Native, Response};
use crate::run::{At, Run, WarningCode};

/// Makes the finish of a whole response consistent with its calls.
pub fn match_response(run: &mut Run, response: &mut Response) {
    let has_calls = response.message.has_calls();
    let has_natives = response.message.blocks().iter().any(|block| match block {
        Block::Native(native) => takes_native(run, native),
        _ => false,
    });
    response.finish = match_calls(run, response.finish, response.finish_at, has_calls, has_natives);
}

/// The same for a finish reason alone. `has_natives`: there are blocks that [`takes_native`].
pub fn match_calls(run: &mut Run, finish: Finish, at: At, has_calls: bool, has_natives: bool) -> Finish {
    match finish {
        // bodies that stay in their format are not changed
        Finish::ToolCalls if !has_calls && !has_natives && !run.route.stays() => {
            run.warn(
                WarningCode::FinishChanged,
                at,
                "the response has no tool calls: its finish reason becomes \"stop\"",
            );
            Finish::Stop
        }
        Finish::Stop if has_calls && run.route.is_from_provider() => Finish::ToolCalls,
        finish => finish,
    }
}

/// Whether the target accepts a block as it is: it may be a call that only its provider understands.
pub fn takes_native(run: &Run, native: &Native) -> bool {
    run.route.to.provider().is_none_or(|to| to == native.provider)
}
