//! The table of text formats: markers, where the name stands, how arguments are encoded.
