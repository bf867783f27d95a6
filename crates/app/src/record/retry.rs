//! Operations that are run again after a concurrent transaction made them fail.

/// Runs of one operation while concurrent transactions make it fail. Of several requests for one unique value, each round lets one
/// through.
const MAX_ATTEMPTS: u8 = 5;

/// An error that says whether a concurrent transaction caused it (`StoreError::is_of_race`).
pub trait MaybeRace {
    /// Whether the operation, run again, finds what the other transaction wrote.
    fn is_of_race(&self) -> bool;
}

/// Runs an operation, and again while it fails because of a concurrent transaction. Each run opens a transaction of its own.
pub async fn retry_races<T, E: MaybeRace, F>(mut operation: impl FnMut() -> F) -> Result<T, E>
where
    F: Future<Output = Result<T, E>>,
{
    for _ in 1..MAX_ATTEMPTS {
        // On the heap: the futures of some operations are large.
        match Box::pin(operation()).await {
            Err(error) if error.is_of_race() => {}
            done => return done,
        }
    }
    Box::pin(operation()).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Clone, Copy, PartialEq)]
    enum Failed {
        Race,
        Other,
    }

    impl MaybeRace for Failed {
        fn is_of_race(&self) -> bool {
            *self == Self::Race
        }
    }

    /// The result of an operation whose runs fail with these errors, one after the other, and then succeed; and the number of runs.
    async fn outcome(errors: &[Failed]) -> (Result<&'static str, Failed>, usize) {
        let (mut errors, mut runs) = (errors.iter().copied(), 0);
        let result = retry_races(|| {
            runs += 1;
            std::future::ready(errors.next().map_or(Ok("done"), Err))
        })
        .await;
        (result, runs)
    }

    #[tokio::test]
    async fn an_operation_is_run_again_until_no_race_makes_it_fail() {
        assert_eq!(outcome(&[]).await, (Ok("done"), 1));
        assert_eq!(outcome(&[Failed::Race]).await, (Ok("done"), 2));
        assert_eq!(outcome(&[Failed::Race; 4]).await, (Ok("done"), 5));
    }

    #[tokio::test]
    async fn another_error_is_returned_at_once() {
        assert_eq!(outcome(&[Failed::Other]).await, (Err(Failed::Other), 1));
        assert_eq!(outcome(&[Failed::Race, Failed::Other]).await, (Err(Failed::Other), 2));
    }

    #[tokio::test]
    async fn the_fifth_race_is_returned() {
        assert_eq!(outcome(&[Failed::Race; 5]).await, (Err(Failed::Race), usize::from(MAX_ATTEMPTS)));
    }
}
