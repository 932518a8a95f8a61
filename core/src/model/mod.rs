//! The objects of the unified model (`docs/model.md`), which every format is read into.

pub(crate) mod choice;
mod implied;
pub(crate) mod list;
mod members;
mod objects;
mod reading;
mod table;
mod visit;

pub use choice::{
    AuthType, Choice, Enumeration, Execution, Kind, Location, PricingType, Protocol, Purpose,
    Sensitivity, Source, Stance, Transport, Vocabulary, Window,
};
pub use implied::IMPLIED;
pub use list::{List, Mark};
pub(crate) use members::each_member;
pub use members::{MemberValue, MemberVisitor, Name, Object};
pub use objects::*;
pub use reading::Head;
pub(crate) use reading::Reading;
pub use visit::Visitor;
