//! The fictional region of the demo and its generator.
