//! Grammars that restrict a model to valid responses.
