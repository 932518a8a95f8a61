//! Time that the processor spent on this thread, so that what else a busy machine does is not counted.

use std::time::Duration;

/// Since some point in the past.
#[cfg(unix)]
pub(crate) fn processor_time() -> Duration {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the call writes to the struct that it is lent, and to nothing else.
    let told = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
    assert_eq!(told, 0, "the system tells no processor time");
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// The time of the clock, where the system does not tell.
#[cfg(not(unix))]
pub(crate) fn processor_time() -> Duration {
    static START: std::sync::LazyLock<std::time::Instant> =
        std::sync::LazyLock::new(std::time::Instant::now);
    START.elapsed()
}
