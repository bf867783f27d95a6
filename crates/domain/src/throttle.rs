//! How long one waits after failed tries to sign in.

/// After so many failures an account's tries are slowed down.
pub const FREE_TRIES_ACCOUNT: i64 = 5;
/// The same for an address, behind which a whole office may sit.
pub const FREE_TRIES_ADDRESS: i64 = 20;
/// The longest wait.
pub const MAX_WAIT_S: i64 = 900;
/// Failures are forgotten after so long without another.
pub const FORGET_AFTER_S: i64 = 86_400;

/// Seconds to wait before the next try: none at first, then 5, 10, 20 … up to a quarter of an hour.
pub fn wait_s(failures: i64, last_at_s: i64, now_s: i64, free_tries: i64) -> i64 {
    let since_s = now_s.saturating_sub(last_at_s).max(0);
    if failures < free_tries || since_s >= FORGET_AFTER_S {
        return 0;
    }
    let doublings = (failures - free_tries).min(10) as u32;
    ((5 << doublings).min(MAX_WAIT_S) - since_s).max(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wait_doubles_from_five_seconds_to_a_quarter_of_an_hour() {
        let waits: Vec<i64> = (0..16).map(|failures| wait_s(failures, 1_000, 1_000, FREE_TRIES_ACCOUNT)).collect();
        assert_eq!(waits, [0, 0, 0, 0, 0, 5, 10, 20, 40, 80, 160, 320, 640, 900, 900, 900]);
    }

    #[test]
    fn it_passes_with_time_and_is_forgotten_after_a_day() {
        assert_eq!(wait_s(7, 1_000, 1_015, FREE_TRIES_ACCOUNT), 5);
        assert_eq!(wait_s(7, 1_000, 1_020, FREE_TRIES_ACCOUNT), 0);
        assert_eq!(wait_s(100, 0, FORGET_AFTER_S, FREE_TRIES_ACCOUNT), 0);
        assert_eq!(wait_s(i64::MAX, 1_000, 900, FREE_TRIES_ACCOUNT), MAX_WAIT_S);
    }
}
