//! Texts on their way to the page.

pub(crate) mod coverage;
pub(crate) mod numbers;
pub(crate) mod rich;
pub(crate) mod typography;
