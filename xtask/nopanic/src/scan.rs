//! The selection of a back end. The other entry points reach the back ends themselves.

use agentsdisc_core::scan::{Backend, backend, force};

use crate::keep;

#[unsafe(no_mangle)]
pub extern "C" fn nopanic_scan(which: usize) {
    let wanted = Backend::ALL.get(which).copied();
    keep(wanted.map(Backend::is_available));
    keep((force(wanted), backend()));
}
