//! Which back end runs. What they do is reached through everything else.

use agentsdisc_core::scan::{Backend, backend, force};

use crate::keep;

#[unsafe(no_mangle)]
pub extern "C" fn nopanic_scan(which: usize) {
    let wanted = Backend::ALL.get(which).copied();
    keep(wanted.map(Backend::is_available));
    keep((force(wanted), backend()));
}
