//! How long code runs.

use std::time::Duration;

/// The time that the processor works for this code. Other processes don't add to it, as they do to the time that passes.
pub fn of(run: impl FnOnce()) -> Duration {
    let start = worked();
    run();
    worked().saturating_sub(start)
}

#[cfg(unix)]
fn worked() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or_default())
}

#[cfg(not(unix))]
fn worked() -> Duration {
    static START: std::sync::LazyLock<std::time::Instant> = std::sync::LazyLock::new(std::time::Instant::now);
    START.elapsed()
}
