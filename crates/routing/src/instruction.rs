//! Instructions, turn by turn.

use serde::{Deserialize, Serialize};
use trace::Position;
use utoipa::ToSchema;

/// What to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum InstructionKind {
    /// Set out.
    Depart,
    /// Straight on, where that is not obvious.
    Continue,
    /// Bear left.
    SlightLeft,
    TurnLeft,
    /// Turn sharply left.
    SharpLeft,
    /// Bear right.
    SlightRight,
    TurnRight,
    /// Turn sharply right.
    SharpRight,
    /// Turn back.
    UTurn,
    /// Enter a roundabout and leave it at `exit`.
    Roundabout,
    /// Board a ferry.
    Ferry,
    /// Take steps.
    Steps,
    /// A point of the request is passed.
    Via,
    /// The line leaves the network.
    OffNetwork,
    /// The line is back on the network.
    Rejoin,
    /// The end.
    Arrive,
}

/// A language of the instructions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = InstructionLanguage)]
pub enum Language {
    /// French.
    Fr,
    /// English.
    En,
}

/// One instruction, at its place on the line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Instruction {
    /// What to do.
    pub kind: InstructionKind,
    /// Where, in metres from the start, to ten centimetres.
    pub at_m: f64,
    /// Metres to the next instruction, to ten centimetres.
    pub length_m: f64,
    /// Name or reference of the way taken.
    pub name: Option<String>,
    /// Which exit of a roundabout, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit: Option<u8>,
    /// In French; empty where only English was asked for.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub fr: String,
    /// In English; empty where only French was asked for.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub en: String,
    /// Where on the map.
    pub position: Position,
}
