//! Prompts, calls and results as text.
