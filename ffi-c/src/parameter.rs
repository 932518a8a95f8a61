//! Parameters of capabilities.

use agentsdisc_core::manifest as model;

use crate::boundary::{agd_list_state, filled, growing};
use crate::enumerations::{agd_choice, truth};
use crate::list::next;
use crate::status::agd_status;
use crate::text::agd_text;
use crate::value::{agd_members, agd_value, agd_values};

growing! { agd_parameter, }

/// A parameter of a capability. It borrows the document's bytes.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_parameter {
    /// Size of this struct as you know it: set by AGD_INIT, kept by the library.
    pub size: usize,
    /// Its name.
    pub name: agd_text,
    /// Where it is sent: AGD_LOCATION_*.
    pub location: agd_choice,
    /// Its type, as written.
    pub r#type: agd_text,
    /// What it means.
    pub description: agd_text,
    /// The bytes it is read from: a JSON object, or the value of a Param line.
    pub source: agd_text,
    /// The value it has when it is not given.
    pub default_value: agd_value,
    /// An example value.
    pub example: agd_value,
    /// The least value.
    pub min: agd_value,
    /// The greatest value.
    pub max: agd_value,
    /// The type of the items of an array.
    pub items: agd_value,
    /// Whether it must be given (where that is not said, it need not): AGD_TRUE, AGD_FALSE or AGD_UNSAID.
    pub required: i32,
    /// The values it may have.
    pub options: agd_values,
    /// Unknown members, and known ones that could not be read.
    pub metadata: agd_members,
}

filled! {
    agd_parameter from parameter: model::Parameter<'static> {
        [default_value to items] {
            default_value: &parameter.default,
            example: &parameter.example,
            min: &parameter.min,
            max: &parameter.max,
            items: &parameter.items,
        }
        name: parameter.name,
        location: parameter.location,
        r#type: parameter.kind,
        description: parameter.description,
        source: parameter.source,
        required: truth(parameter.required),
        options: parameter.options,
        metadata: parameter.metadata,
    }
}

/// A list of parameters. It borrows the document's bytes. A copy walks on its own; a list that is walked is used by one thread at a time.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_parameters {
    /// The library's.
    pub state: agd_list_state,
}

/// The next parameter of a list.
///
/// Neither pointer may be NULL; `parameter` must be initialised (AGD_INIT) and then borrows the document's bytes. Returns AGD_SOME, at
/// the end AGD_NONE (and `parameter` stays as it is), or a negative status for misuse. Not thread-safe on one list; linear in what is
/// passed over.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_parameters_next(
    list: *mut agd_parameters,
    parameter: *mut agd_parameter,
) -> agd_status {
    // SAFETY: the caller promises a list in sole use and a writable output.
    unsafe { next(list, parameter) }
}
