//! Selects the back end. Detects the CPU's features once, and stores the result in an atomic.

use core::sync::atomic::{AtomicU8, Ordering};

use super::block::{BATCH, Carry, JsonMasks, LineMasks};

/// A back end. All of them give equal results.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Backend {
    /// 64-bit words, on every CPU.
    Scalar = 1,
    /// SSE2.
    Sse2 = 2,
    /// AVX2.
    Avx2 = 3,
    /// AVX-512.
    Avx512 = 4,
    /// NEON.
    Neon = 5,
}

impl Backend {
    /// All back ends, including those that this CPU does not support.
    pub const ALL: &'static [Backend] =
        &[Self::Scalar, Self::Sse2, Self::Avx2, Self::Avx512, Self::Neon];

    /// Whether this CPU and this build support it.
    pub fn is_available(self) -> bool {
        match self {
            Self::Scalar => true,
            #[cfg(all(target_arch = "x86_64", not(agentsdisc_scalar)))]
            Self::Sse2 => true,
            #[cfg(all(target_arch = "x86_64", not(agentsdisc_scalar)))]
            Self::Avx2 => has_avx2(),
            #[cfg(all(target_arch = "x86_64", not(agentsdisc_scalar)))]
            Self::Avx512 => has_avx2() && has_avx512(),
            #[cfg(all(target_arch = "aarch64", target_feature = "neon", not(agentsdisc_scalar)))]
            Self::Neon => true,
            #[allow(unreachable_patterns)]
            _ => false,
        }
    }
}

#[cfg(all(target_arch = "x86_64", not(agentsdisc_scalar)))]
fn has_avx2() -> bool {
    cpufeatures::new!(avx2_features, "avx2", "pclmulqdq", "bmi1", "popcnt");
    avx2_features::get()
}

#[cfg(all(target_arch = "x86_64", not(agentsdisc_scalar)))]
fn has_avx512() -> bool {
    cpufeatures::new!(avx512_features, "avx512f", "avx512bw");
    avx512_features::get()
}

/// The number of the selected back end; 0 before the first selection.
static CHOSEN: AtomicU8 = AtomicU8::new(0);

/// Makes every later call use `backend`; `None` restores the automatic selection. Returns false and
/// changes nothing if the back end is not available.
///
/// For tests and benchmarks: it affects the whole process.
#[doc(hidden)]
pub fn force(backend: Option<Backend>) -> bool {
    match backend {
        None => CHOSEN.store(0, Ordering::Relaxed),
        Some(backend) if backend.is_available() => CHOSEN.store(backend as u8, Ordering::Relaxed),
        Some(_) => return false,
    }
    true
}

/// The selected back end.
#[inline(always)]
pub fn backend() -> Backend {
    if cfg!(any(
        agentsdisc_scalar,
        not(any(target_arch = "x86_64", all(target_arch = "aarch64", target_feature = "neon")))
    )) {
        return Backend::Scalar;
    }
    match CHOSEN.load(Ordering::Relaxed) {
        1 => Backend::Scalar,
        2 => Backend::Sse2,
        3 => Backend::Avx2,
        4 => Backend::Avx512,
        5 => Backend::Neon,
        _ => choose(),
    }
}

#[cold]
fn choose() -> Backend {
    let best = [Backend::Avx512, Backend::Avx2, Backend::Sse2, Backend::Neon]
        .into_iter()
        .find(|backend| backend.is_available());
    let best = best.unwrap_or(Backend::Scalar);
    CHOSEN.store(best as u8, Ordering::Relaxed);
    best
}

/// Calls a function of the selected SIMD back end. Evaluates the expression after `else` if the
/// scalar back end is selected.
macro_rules! on_back_end {
    ($function:ident($($argument:expr),*) else $plain:expr) => {
        match backend() {
            #[cfg(all(target_arch = "x86_64", not(agentsdisc_scalar)))]
            // SAFETY: the CPU has the features of the selected back end, here and below.
            Backend::Avx512 => unsafe { super::x86_64::avx512::$function($($argument),*) },
            #[cfg(all(target_arch = "x86_64", not(agentsdisc_scalar)))]
            // SAFETY: as above.
            Backend::Avx2 => unsafe { super::x86_64::avx2::$function($($argument),*) },
            #[cfg(all(target_arch = "x86_64", not(agentsdisc_scalar)))]
            // SAFETY: as above.
            Backend::Sse2 => unsafe { super::x86_64::sse2::$function($($argument),*) },
            #[cfg(all(target_arch = "aarch64", target_feature = "neon", not(agentsdisc_scalar)))]
            Backend::Neon => super::aarch64::neon::$function($($argument),*),
            _ => $plain,
        }
    };
}

/// Fills `out` with the masks of up to [`BATCH`] blocks, and returns the number of blocks; zero
/// without a SIMD back end.
#[inline(always)]
pub(crate) fn json_masks(bytes: &[u8], carry: &mut Carry, out: &mut [JsonMasks; BATCH]) -> usize {
    let _ = (bytes, &carry, &out);
    on_back_end!(json_masks(bytes, carry, out) else 0)
}

/// Like [`json_masks`], with the masks for lines.
#[inline(always)]
pub(crate) fn line_masks(bytes: &[u8], out: &mut [LineMasks; BATCH]) -> usize {
    let _ = (bytes, &out);
    on_back_end!(line_masks(bytes, out) else 0)
}

/// The offset after the bracket that closes the container at `from`. The length of `bytes` if the
/// bracket is missing. Only for validated text.
#[inline]
pub(crate) fn container_end(bytes: &[u8], from: usize) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    from.saturating_add(on_back_end!(container_end(rest) else super::json::container_end(rest, 0)))
}

/// Whether `bytes` are valid UTF-8.
#[inline]
pub(crate) fn is_utf8(bytes: &[u8]) -> bool {
    match backend() {
        #[cfg(all(target_arch = "x86_64", not(agentsdisc_scalar)))]
        // SAFETY: the CPU has the features of the selected back end; both have AVX2.
        Backend::Avx2 | Backend::Avx512 => unsafe {
            simdutf8::basic::imp::x86::avx2::validate_utf8(bytes).is_ok()
        },
        _ => super::text(bytes).is_some(),
    }
}
