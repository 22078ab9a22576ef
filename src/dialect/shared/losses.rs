//! What several targets can't take, told in one way.

use crate::model::{Request, ToolChoice};
use crate::run::{At, Run, WarningCode};

impl Run<'_> {
    pub fn warn_native_tool(&mut self, at: At) {
        self.warn(WarningCode::NativeDropped, at, "only its own provider knows this tool");
    }

    pub fn warn_native_block(&mut self, at: At) {
        self.warn(WarningCode::NativeDropped, at, "only its own provider knows this block");
    }

    pub fn warn_reasoning(&mut self, at: At) {
        let message = "reasoning goes to its issuer only, with the signature that it demands";
        self.warn(WarningCode::ReasoningDropped, at, message);
    }

    /// A choice without tools is refused everywhere, so it is left out (Q29, Q30).
    pub fn warn_choice_without_tools(&mut self, request: &Request) {
        if let Some((ToolChoice::Required | ToolChoice::Named(_) | ToolChoice::Allowed { .. }, at)) = request.choice {
            self.warn(WarningCode::ChoiceDropped, at, "a tool choice needs tools");
        }
    }
}
