//! A file of an archive that gives no more than it may: a bomb ends as an error, not as a full disk or a lost hour.

use std::io::{self, Read};

/// Reads so many bytes at most.
pub(super) struct Bounded<R> {
    inner: R,
    left: u64,
}

impl<R: Read> Bounded<R> {
    pub(super) const fn new(inner: R, most: u64) -> Self {
        Self { inner, left: most }
    }
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let got = self.inner.read(into)?;
        self.left = self
            .left
            .checked_sub(got as u64)
            .ok_or_else(|| io::Error::new(io::ErrorKind::FileTooLarge, "more than it may hold"))?;
        Ok(got)
    }
}
