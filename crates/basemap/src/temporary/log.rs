//! A file of records, one after the other.

use super::Folder;
use crate::error::BasemapError;
use memmap2::Mmap;
use std::fs::File;
use std::io::{self, BufWriter, Write};

/// A file of records being written.
#[derive(Debug)]
pub(crate) struct Log {
    folder: Folder,
    out: BufWriter<File>,
    end: u64,
}

impl Log {
    pub(crate) fn create(folder: &Folder) -> Result<Self, BasemapError> {
        Ok(Self { folder: folder.clone(), out: BufWriter::with_capacity(1 << 16, folder.file()?), end: 0 })
    }

    /// The place of the next record.
    pub(crate) fn end(&self) -> u64 {
        self.end
    }

    /// Appends a record; returns its place.
    pub(crate) fn append(&mut self, record: &[u8]) -> Result<u64, BasemapError> {
        self.out.write_all(record).map_err(|source| self.folder.failed(source))?;
        let at = self.end;
        self.end += record.len() as u64;
        Ok(at)
    }

    /// The records, to be read.
    pub(crate) fn finish(self) -> Result<Records, BasemapError> {
        let file = self.out.into_inner().map_err(io::IntoInnerError::into_error);
        let file = file.map_err(|source| self.folder.failed(source))?;
        Ok(Records { map: self.folder.map(&file)?, folder: self.folder })
    }
}

/// The records of a [`Log`], mapped into memory.
#[derive(Debug)]
pub(crate) struct Records {
    folder: Folder,
    map: Mmap,
}

impl Records {
    /// Reads the record at a place.
    pub(crate) fn read<'a, T>(
        &'a self,
        at: u64,
        take: impl FnOnce(&mut &'a [u8]) -> Option<T>,
    ) -> Result<T, BasemapError> {
        let mut rest = usize::try_from(at).ok().and_then(|at| self.map.get(at..)).unwrap_or_default();
        take(&mut rest).ok_or_else(|| self.folder.damaged())
    }

    /// The error where a record does not hold what was written.
    pub(crate) fn damaged(&self) -> BasemapError {
        self.folder.damaged()
    }

    /// Reads all records in the order in which they were written, each with its place.
    pub(crate) fn iter<'a, T>(
        &'a self,
        take: impl Fn(&mut &'a [u8]) -> Option<T> + 'a,
    ) -> impl Iterator<Item = Result<(u64, T), BasemapError>> + 'a {
        let mut rest: &[u8] = &self.map;
        std::iter::from_fn(move || {
            let at = (self.map.len() - rest.len()) as u64;
            if rest.is_empty() {
                return None;
            }
            let record = take(&mut rest);
            if record.is_none() {
                rest = &[];
            }
            Some(record.map(|record| (at, record)).ok_or_else(|| self.folder.damaged()))
        })
    }
}
