//! A reader for a file of an archive, with a limit on its bytes: a decompression bomb ends in an error, not in a full disk.

use std::io::{self, Read};

/// A reader that fails after a number of bytes.
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
