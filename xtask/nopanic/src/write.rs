//! Conversions, and automatic fixes of agents.txt.

use agentsdisc_core::write::{Change, ConvertError, Fix, FixError, Loss, Reason};
use agentsdisc_core::{ConvertOptions, Document, Format};

use crate::{buffer, keep, show, text};

/// # Safety
/// `document` must point to a document, `origin` to the given number of bytes, `out` to the given
/// number of writable bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_convert(
    document: *const Document<'static>,
    format: usize,
    flags: usize,
    origin: *const u8,
    length: usize,
    out: *mut u8,
    size: usize,
) {
    // SAFETY: guaranteed by the caller.
    let (document, origin, out) = unsafe { (*document, text(origin, length), buffer(out, size)) };
    let Some(&target) = Format::ALL.get(format) else {
        return;
    };
    keep((target.is_made_of(document.format()), target.is_fixed()));
    let origin = Some(origin).filter(|origin| !origin.is_empty());
    let options = ConvertOptions { origin, pretty: flags & 1 == 0, loosen: flags & 2 == 0 };
    let on_loss = |loss: Loss<'_>| {
        show(loss);
        show(loss.path);
        show(loss.reason);
        keep(loss);
    };
    let error: Option<ConvertError> =
        document.convert(target, &options, &mut |piece: &[u8]| keep(piece), on_loss).err();
    if let Some(error) = error {
        show(error);
    }
    keep(document.write_converted(target, &options, out, on_loss));
    keep(document.write_converted(target, &ConvertOptions::default(), out, on_loss));
}

/// # Safety
/// `document` must point to a document, `out` to the given number of writable bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_fix(
    document: *const Document<'static>,
    out: *mut u8,
    size: usize,
) {
    // SAFETY: guaranteed by the caller.
    let (document, out) = unsafe { (*document, buffer(out, size)) };
    let on_change = |change: Change| {
        show(change.fix);
        keep(change);
    };
    let error: Option<FixError> = document.fix(&mut |piece: &[u8]| keep(piece), on_change).err();
    if let Some(error) = error {
        show(error);
    }
    keep(document.write_fixed(out, on_change));
}

/// # Safety
/// None.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_reasons(index: usize) {
    if let Some(reason) = Reason::ALL.get(index) {
        keep((reason.as_str(), reason.about()));
    }
    if let Some(fix) = Fix::ALL.get(index) {
        keep((fix.as_str(), fix.about()));
    }
}
