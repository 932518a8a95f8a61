//! One view over every format: the unified model (`docs/model.md`).

pub(crate) mod choice;
pub(crate) mod list;
mod members;
mod model;
#[cfg(feature = "policy")]
mod offer;
mod reading;
mod table;
mod view;
mod visit;

pub use choice::{
    AuthType, Choice, Enumeration, Execution, Kind, Location, PricingType, Protocol, Sensitivity,
    Source, Transport, Window,
};
pub use list::{List, Mark};
pub use members::{MemberValue, MemberVisitor, Name, Object};
pub use model::*;
#[cfg(feature = "policy")]
pub(crate) use offer::Offer;
pub(crate) use reading::Reading;
pub use view::Manifest;
pub(crate) use view::with_reading;
pub use visit::Visitor;
