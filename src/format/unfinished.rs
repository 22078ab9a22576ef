//! Dialects that are not in the package yet: its entry points, types and pages lack Gemini Interactions and Cohere. The features `interactions` and `cohere` add them,
//! for their tests (`cargo test --features interactions --test interactions`, `cargo test --features cohere --test cohere`).

/// Passes the table of dialects on, without more rows.
#[macro_export]
#[cfg(not(feature = "interactions"))]
macro_rules! with_unfinished {
    ($($table:tt)+) => { $crate::with_cohere! { $($table)+ } };
}

/// Passes the table of dialects on, with the row of the unfinished one.
#[macro_export]
#[cfg(feature = "interactions")]
macro_rules! with_unfinished {
    ($($table:tt)+) => {
        $crate::with_cohere! { $($table)+
            (GeminiInteractions, "gemini-interactions" "Gemini Interactions", gemini_interactions::FORMAT, Some(Provider::Google),
                gemini_interactions GeminiInteractions "Gemini Interactions" "https://ai.google.dev/gemini-api/docs/interactions")
        }
    };
}

/// Passes the table of dialects on, without Cohere.
#[macro_export]
#[cfg(not(feature = "cohere"))]
macro_rules! with_cohere {
    ($($table:tt)+) => { $crate::with_trial! { $($table)+ } };
}

/// Passes the table of dialects on, with the row of Cohere.
#[macro_export]
#[cfg(feature = "cohere")]
macro_rules! with_cohere {
    ($($table:tt)+) => {
        $crate::with_trial! { $($table)+
            (Cohere, "cohere" "Cohere", cohere::FORMAT, Some(Provider::Cohere), cohere Cohere "Cohere's chat API"
                "https://docs.cohere.com/reference/chat")
        }
    };
}
