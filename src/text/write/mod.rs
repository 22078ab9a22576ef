//! Writes what a model is shown: tool definitions, calls and results as text.
