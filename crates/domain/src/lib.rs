//! The words and the rules: value types, states, capabilities, validation. No I/O.
