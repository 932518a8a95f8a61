//! YAML.

use agentsdisc_core::syntax::yaml::{Event, Events, Value, entries};

use crate::{bytes, keep};

/// # Safety
/// `data` must point to the given number of bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_yaml(data: *const u8, length: usize, depth: usize) {
    // SAFETY: guaranteed by the caller.
    let text = unsafe { bytes(data, length) };
    let mut events = Events::new(text, depth);
    while let Some(next) = events.next() {
        event(next);
        keep((events.depth(), events.offset()));
    }
    let mut entries = entries(text, depth);
    keep(entries.root());
    while let Some((key, value)) = entries.next() {
        keep((key.resolve(), entries.too_deep()));
        if let Value::Scalar(scalar) = value {
            keep(scalar.resolve());
        }
        keep(value);
    }
}

fn event(event: Event<'_>) {
    match event {
        Event::Key(scalar) | Event::Scalar(scalar) => {
            keep((scalar.text, scalar.style, scalar.resolve()))
        }
        Event::Unsupported(unsupported) => keep((unsupported.raw, unsupported.reason.as_str())),
        _ => {}
    }
}
