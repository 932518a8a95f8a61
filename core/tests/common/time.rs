//! Time that the processor spent on this thread, so that what else a busy machine does is not counted.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// Since some point in the past; where the system does not tell, the time of the clock.
pub(crate) fn processor_time() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let told = told.and_then(|text| text.split(' ').next()?.parse().ok());
    told.map_or_else(|| START.elapsed(), Duration::from_nanos)
}
