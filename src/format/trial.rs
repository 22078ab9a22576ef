//! A made-up provider in each family, for a test that families and providers are independent (`cargo test --features trial --test matrix`). Its name
//! is one that no other dialect has, and its data are those of the family's first dialect.

/// Passes the table of dialects on, without more rows.
#[macro_export]
#[cfg(not(feature = "trial"))]
macro_rules! with_trial {
    ($callback:ident $($row:tt)+) => { $callback! { $($row)+ } };
}

/// Passes the table of dialects on, with the rows of the trial.
#[macro_export]
#[cfg(feature = "trial")]
macro_rules! with_trial {
    ($callback:ident $($row:tt)+) => {
        $callback! { $($row)+
            (TrialChat, "trial-chat" "Trial", openai::FORMAT, Some(Provider::TrialChat))
            (TrialResponses, "trial-responses" "Trial", openai_responses::FORMAT, Some(Provider::TrialChat))
            (TrialMessages, "trial-messages" "Trial", anthropic::FORMAT, Some(Provider::TrialMessages))
            (TrialGemini, "trial-gemini" "Trial", gemini::FORMAT, Some(Provider::Mcp))
            (TrialOllama, "trial-ollama" "Trial", ollama::FORMAT, Some(Provider::Trial))
        }
    };
}
