//! A dialect that is not in the package yet: Gemini Interactions, which its entry points, types and pages lack. The feature `interactions` adds it, for its tests
//! (`cargo test --features interactions --test interactions`).

/// Passes the table of dialects on, without more rows.
#[macro_export]
#[cfg(not(feature = "interactions"))]
macro_rules! with_unfinished {
    ($($table:tt)+) => { $crate::with_trial! { $($table)+ } };
}

/// Passes the table of dialects on, with the row of the unfinished one.
#[macro_export]
#[cfg(feature = "interactions")]
macro_rules! with_unfinished {
    ($($table:tt)+) => {
        $crate::with_trial! { $($table)+
            (GeminiInteractions, "gemini-interactions" "Gemini Interactions", gemini_interactions::FORMAT, Some(Provider::Google),
                gemini_interactions GeminiInteractions "Gemini Interactions" "https://ai.google.dev/gemini-api/docs/interactions")
        }
    };
}
