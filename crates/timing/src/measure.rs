//! How a reader's time grows with its input.

use std::fmt;
use std::time::{Duration, Instant};

use crate::{Input, Reader, inputs, mixed};

/// The smallest length of the short input, bytes.
const MIN_SHORT_BYTES: usize = 8 * 1024;
/// The greatest length of the short input, bytes: a reader that takes less than `MIN_TIME` at this length is not slow.
const MAX_SHORT_BYTES: usize = 128 * 1024;
/// Shorter times are measurement noise.
const MIN_TIME: Duration = Duration::from_micros(500);
/// The long input is this many times as long as the short one.
const GROWTH: usize = 4;
/// The factor by which the duration may grow from the short to the long input. Linear time grows 4 times, quadratic time 16 times.
const MAX_GROWTH: u32 = 10;
/// Runs of each length. The shortest counts first, as a busy machine only adds to it.
const RUNS: usize = 24;
/// How many of the runs follow each other without a pause.
const RUNS_WITHOUT_PAUSE: usize = 4;
/// The pause before each later run. Work of the kernel on the memory of this process is counted with a reader's time, and may last
/// longer than the runs without a pause.
const PAUSE: Duration = Duration::from_millis(100);

/// A reader whose time grows faster than its input.
#[derive(Debug)]
pub struct Slow {
    reader: String,
    input: &'static str,
    bytes: usize,
    short: Duration,
    long: Duration,
}

impl fmt::Display for Slow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { reader, input, bytes, short, long } = self;
        write!(f, "{reader} on {input:?}: {bytes} bytes take {short:?}, {GROWTH} times as many take {long:?}")
    }
}

/// The readers whose time grows faster than their input, each over all hostile inputs, alone and inside what it expects.
pub fn check(readers: &[Reader]) -> Vec<Slow> {
    keep_memory();
    let inputs = inputs();
    let mut slow = Vec::new();
    for (name, read, around) in readers {
        for (before, after) in [("", "")].iter().chain(*around) {
            let wrapped = |input: &Input, bytes| [before.as_bytes(), &input.of(bytes), after.as_bytes()].concat();
            let name = if before.is_empty() { (*name).to_owned() } else { format!("{name} after {before:?}") };
            slow.extend(inputs.iter().filter_map(|input| grows(&name, input, &|bytes| wrapped(input, bytes), *read)));
        }
    }
    slow
}

fn grows(reader: &str, input: &Input, make: &dyn Fn(usize) -> Vec<u8>, read: fn(&[u8])) -> Option<Slow> {
    let mut bytes = MIN_SHORT_BYTES;
    while time(read, &make(bytes)) < MIN_TIME {
        if bytes >= MAX_SHORT_BYTES {
            return None;
        }
        bytes *= 2;
    }
    let (short, long) = grows_from(bytes, make, read)?;
    Some(Slow { reader: reader.to_owned(), input: input.name, bytes, short, long })
}

/// The shortest times of this length and of the next one, where the time grows too fast from here on. A reader may refuse a short input at its
/// beginning and read a long one whole: that is one step, while quadratic time grows as fast again.
fn grows_from(bytes: usize, make: &dyn Fn(usize) -> Vec<u8>, read: fn(&[u8])) -> Option<(Duration, Duration)> {
    let [few, many] = [bytes, bytes * GROWTH].map(make);
    let times = times_if_slow(read, &few, &many)?;
    times_if_slow(read, &many, &make(bytes * GROWTH * GROWTH))?;
    Some(times)
}

/// The shortest times of two inputs, where that of the long one is more than `MAX_GROWTH` times that of the short one.
fn times_if_slow(read: fn(&[u8]), few: &[u8], many: &[u8]) -> Option<(Duration, Duration)> {
    let (mut short, mut long) = (Duration::MAX, Duration::MAX);
    let mut growths = Vec::with_capacity(RUNS);
    for run in 0..RUNS {
        if run >= RUNS_WITHOUT_PAUSE {
            std::thread::sleep(PAUSE);
        }
        let (one, other) = (time(read, few).min(time(read, few)).max(MIN_TIME), time(read, many));
        (short, long) = (short.min(one), long.min(other));
        if long <= short * MAX_GROWTH {
            return None;
        }
        growths.push(other.as_secs_f64() / one.as_secs_f64());
    }
    // The two shortest may be of different moments, and the speed of a shared processor changes: runs that follow each other are compared too.
    growths.sort_by(f64::total_cmp);
    (growths[RUNS / 2] > f64::from(MAX_GROWTH)).then_some((short, long))
}

/// Memory that a run gave back is used again by the next one: else the kernel takes and clears each page of a large input again, and this time, which
/// is counted with the reader's, depends on what the machine does beside it.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn keep_memory() {
    for parameter in [libc::M_MMAP_THRESHOLD, libc::M_TRIM_THRESHOLD] {
        #[expect(unsafe_code, reason = "the call sets a number of the allocator")]
        // SAFETY: both parameters take any number of bytes, at any time.
        unsafe {
            libc::mallopt(parameter, 1 << 30);
        }
    }
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn keep_memory() {}

/// Processor time of this thread: the work of other programs does not count.
#[cfg(target_os = "linux")]
fn now() -> Duration {
    let mut at = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    #[expect(unsafe_code, reason = "the call writes one struct, which lives on this stack")]
    // SAFETY: the pointer is to a complete `timespec`, and every Linux has this clock.
    unsafe {
        libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut at);
    }
    Duration::new(at.tv_sec.unsigned_abs(), at.tv_nsec.unsigned_abs() as u32)
}

#[cfg(not(target_os = "linux"))]
fn now() -> Duration {
    static START: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
    START.elapsed()
}

fn time(read: fn(&[u8]), bytes: &[u8]) -> Duration {
    let start = now();
    read(bytes);
    now().saturating_sub(start)
}

/// Runs a reader once, for a fuzz target.
///
/// # Panics
/// If it takes longer than 250 ms plus 50 µs per byte. Builds for fuzzing are slow; quadratic time over 64 kB is far slower.
pub fn within_budget((name, read, _): &Reader, bytes: &[u8]) {
    let budget =
        Duration::from_millis(250) + Duration::from_micros(50) * u32::try_from(bytes.len()).unwrap_or(u32::MAX);
    let took = time(*read, bytes);
    assert!(took <= budget, "{name} takes {took:?} over {} bytes", bytes.len());
}

/// Does the work of the fuzz targets without their tool, for `time`: runs each reader over random mixtures of hostile pieces.
///
/// # Panics
/// If one takes longer than its input's length allows, or panics itself.
pub fn soak(readers: &[Reader], time: Duration) {
    let start = Instant::now();
    for seed in 0.. {
        let bytes = mixed(seed);
        for reader in readers {
            within_budget(reader, &bytes);
            if start.elapsed() > time {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    use super::*;

    fn linear(bytes: &[u8]) {
        std::hint::black_box(
            bytes.iter().fold(0_u64, |sum, byte| std::hint::black_box(sum.rotate_left(5) ^ u64::from(*byte))),
        );
    }

    fn quadratic(bytes: &[u8]) {
        let found = (0..bytes.len())
            .step_by(64)
            .filter(|at| bytes[*at..].iter().all(|byte| std::hint::black_box(*byte) != b'\n'));
        std::hint::black_box(found.count());
    }

    /// Linear, and four times as slow from the first long input on: a processor that became slower.
    fn slower_later(bytes: &[u8]) {
        static LAST: AtomicUsize = AtomicUsize::new(usize::MAX / 4);
        static TIMES: AtomicUsize = AtomicUsize::new(1);
        if bytes.len() > 3 * LAST.swap(bytes.len(), Relaxed) {
            TIMES.store(4, Relaxed);
        }
        (0..TIMES.load(Relaxed)).for_each(|_| linear(bytes));
    }

    /// Linear, and refuses what is short after the first bytes.
    fn refuses_what_is_short(bytes: &[u8]) {
        let read = if bytes.len() < 2 * MAX_SHORT_BYTES { &bytes[..bytes.len() / 8] } else { bytes };
        (0..64).for_each(|_| linear(read));
    }

    #[test]
    fn a_short_input_that_is_refused_early_makes_no_slow_reader() {
        let one = Input::clone(inputs().iter().find(|input| input.name == "<a").expect("it is in the list"));
        let (few, many) = (one.of(MAX_SHORT_BYTES), one.of(MAX_SHORT_BYTES * GROWTH));
        assert!(times_if_slow(refuses_what_is_short, &few, &many).is_some(), "the step is seen");
        assert!(grows_from(MAX_SHORT_BYTES, &|bytes| one.of(bytes), refuses_what_is_short).is_none());
    }

    #[test]
    fn a_processor_that_becomes_slower_is_no_slow_reader() {
        let one = Input::clone(inputs().iter().find(|input| input.name == "<a").expect("it is in the list"));
        assert!(grows("slower later", &one, &|bytes| one.of(bytes), slower_later).is_none());
    }

    #[test]
    fn quadratic_time_is_distinguished_from_linear_time() {
        let one = Input::clone(inputs().iter().find(|input| input.name == "<a").expect("it is in the list"));
        assert!(grows("linear", &one, &|bytes| one.of(bytes), linear).is_none());
        assert!(grows("quadratic", &one, &|bytes| one.of(bytes), quadratic).is_some());
    }
}
