//! The processor time of this thread, which excludes other load on the machine.

use std::time::Duration;

/// Returns the time since a fixed point in the past.
#[cfg(unix)]
pub(crate) fn processor_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the call writes only to the struct that it borrows.
    let status = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
    assert_eq!(status, 0, "the system does not provide processor time");
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Wall time, if the system does not provide processor time.
#[cfg(not(unix))]
pub(crate) fn processor_time() -> Duration {
    static START: std::sync::LazyLock<std::time::Instant> =
        std::sync::LazyLock::new(std::time::Instant::now);
    START.elapsed()
}
