//! Writes a journal so that finished jobs are not lost.
//!
//! A line is written by one system call when its job is done, so a kill loses no finished job and cuts off at most the
//! last line. The file is forced to the disk every second and at the end, and no writer waits for that: a power failure
//! costs the jobs of about a second, which `--resume` repeats. If the disk turns out to be full only when lines are
//! forced to it, these lines are written again. A source is on the disk before the line that refers to it. The writer
//! holds a lock on the file, which the kernel releases with the process, so there is nothing to clean up.

use std::io::{self, Write};
use std::os::unix::fs::MetadataExt;
use std::sync::Mutex;

use anyhow::{Result, bail};
use camino::Utf8Path;
use rustix::fs::{FlockOperation, flock};

use super::atomic::write_and_rename;
use super::read::parse;
use super::record::{Entry, Header, JobRecord};
use super::run_folder::RunFolder;
use crate::config::Settings;
use crate::sys::lock;

/// The writing end of a journal.
#[derive(Debug)]
pub struct Writer {
    pub folder: RunFolder,
    file: Mutex<Open>,
    /// The same file, for forcing it to the disk.
    forced: Mutex<fs_err::File>,
}

#[derive(Debug)]
struct Open {
    file: fs_err::File,
    /// Length in bytes of the complete lines.
    whole: u64,
    /// How many of them are on the disk.
    on_disk: u64,
    /// The lines after these, whether they are in the file or were cut off.
    unforced: Vec<u8>,
}

impl Open {
    /// Append a line, after those that were cut off.
    fn append(&mut self, line: &[u8]) -> Result<()> {
        self.restore()?;
        self.write(line)?;
        self.unforced.extend_from_slice(line);
        Ok(())
    }

    /// Append complete lines, or nothing.
    fn write(&mut self, lines: &[u8]) -> Result<()> {
        // One system call, so that a kill cuts off at most the last line.
        if let Err(error) = self.file.write_all(lines) {
            // The next attempt must not find a part of them.
            self.file.set_len(self.whole)?;
            return Err(error.into());
        }
        self.whole += lines.len() as u64;
        Ok(())
    }

    /// Cut off the lines that could not be forced to the disk: the kernel may have dropped them, and it reports
    /// the error only once.
    fn cut(&mut self) -> Result<()> {
        self.file.set_len(self.on_disk)?;
        self.whole = self.on_disk;
        Ok(())
    }

    /// Write the lines again that were cut off.
    fn restore(&mut self) -> Result<()> {
        if self.whole > self.on_disk || self.unforced.is_empty() {
            return Ok(());
        }
        let lost = std::mem::take(&mut self.unforced);
        let written = self.write(&lost);
        self.unforced = lost;
        written
    }
}

impl Writer {
    /// Create a journal.
    ///
    /// # Errors
    /// If there is one already: a journal is never overwritten.
    pub fn create(folder: &RunFolder, header: &Header) -> Result<Writer> {
        let path = folder.journal();
        fs_err::create_dir_all(&folder.0)?;
        let file = match fs_err::OpenOptions::new().append(true).create_new(true).open(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                bail!("{path} exists already; continue it with --resume, or give another --out")
            }
            opened => opened?,
        };
        Writer::begun(folder, locked(file, &path)?, header)
    }

    fn begun(folder: &RunFolder, file: fs_err::File, header: &Header) -> Result<Writer> {
        let writer = Writer::open(folder, file, 0)?;
        writer.line(&Entry::Header(Box::new(header.clone())))?;
        writer.sync()?;
        Ok(writer)
    }

    fn open(folder: &RunFolder, file: fs_err::File, whole: u64) -> Result<Writer> {
        let forced = Mutex::new(file.try_clone()?);
        let open = Open { file, whole, on_disk: whole, unforced: Vec::new() };
        Ok(Writer { folder: folder.clone(), file: Mutex::new(open), forced })
    }

    /// Continue the journal in `folder`, if it belongs to the same run.
    pub fn resume(folder: &RunFolder, header: &Header) -> Result<(Writer, Vec<JobRecord>)> {
        let path = folder.journal();
        let file = locked(fs_err::OpenOptions::new().append(true).open(&path)?, &path)?;
        let text = fs_err::read(&path)?;
        if !text.contains(&b'\n') {
            // The run was killed before it wrote a header.
            file.set_len(0)?;
            return Ok((Writer::begun(folder, file, header)?, Vec::new()));
        }
        let mut journal = parse(&text, &path)?;
        journal.header.settings = journal.header.settings.with_unstored_of(&header.settings);
        // The plan already says which programs the shard has.
        journal.header.shard = header.shard;
        if journal.header != *header {
            bail!(
                "{} belongs to another run: {} differ; resume it with the same arguments",
                path,
                differing(&journal.header, header),
            );
        }
        file.set_len(journal.whole)?;
        // A killed run may not have forced its lines to the disk.
        file.sync_data()?;
        Ok((Writer::open(folder, file, journal.whole)?, journal.records))
    }

    /// Append a finished job, and store its `texts` if it has findings: the texts of [`JobRecord::sources`].
    pub fn append<T: AsRef<str>>(&self, record: &JobRecord, texts: &[T]) -> Result<()> {
        for (source, text) in record.sources().into_iter().zip(texts) {
            let path = self.folder.blob(source);
            if !path.exists() {
                write_and_rename(&path, text.as_ref().as_bytes(), std::fs::File::sync_data)?;
            }
        }
        self.line(&Entry::Job(Box::new(record.clone())))
    }

    /// Force the file to the disk. Lines can be appended at the same time.
    pub fn sync(&self) -> Result<()> {
        let file = lock(&self.forced);
        let (whole, unforced) = {
            let mut open = lock(&self.file);
            open.restore()?;
            (open.whole, open.unforced.len())
        };
        if unforced == 0 {
            return Ok(());
        }
        if let Err(error) = file.sync_data() {
            lock(&self.file).cut()?;
            return Err(error.into());
        }
        let mut open = lock(&self.file);
        open.on_disk = whole;
        open.unforced.drain(..unforced);
        Ok(())
    }

    pub(super) fn line(&self, entry: &Entry) -> Result<()> {
        let mut line = serde_json::to_vec(entry)?;
        line.push(b'\n');
        lock(&self.file).append(&line)
    }
}

/// `file` with a lock on it, so that two campaigns never write one journal.
fn locked(file: fs_err::File, path: &Utf8Path) -> Result<fs_err::File> {
    match flock(&file, FlockOperation::NonBlockingLockExclusive) {
        Err(rustix::io::Errno::WOULDBLOCK) => {
            let by = holder(file.metadata()?.ino()).unwrap_or_else(|| "another process".into());
            bail!("{path} is in use by {by}; wait until it ends, or give another --out")
        }
        // Some network file systems have no locks.
        Ok(()) | Err(_) => Ok(file),
    }
}

/// The process that holds the lock on the file with this inode, from the kernel's list.
fn holder(inode: u64) -> Option<String> {
    let locks = std::fs::read_to_string("/proc/locks").ok()?;
    let held = locks.lines().find(|line| line.contains("FLOCK") && line.contains(&format!(":{inode} ")))?;
    let pid = held.split_whitespace().find_map(|word| word.parse::<u32>().ok())?;
    Some(format!("process {pid}"))
}

pub(super) fn differing(theirs: &Header, ours: &Header) -> String {
    let mut names = Vec::new();
    // The settings and the jobs have them, too.
    let is_same = theirs.profilers == ours.profilers;
    let settings = |header: &Header| Settings {
        profilers: if is_same { header.settings.profilers.clone() } else { Vec::new() },
        ..header.settings.clone()
    };
    names.extend((theirs.format != ours.format).then_some("the format"));
    names.extend((settings(theirs) != settings(ours)).then_some("the settings"));
    names.extend((!is_same).then_some("the profilers or their versions"));
    names.extend((is_same && theirs.plan != ours.plan).then_some("the programs"));
    names.join(" and ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_could_not_be_forced_are_written_again_before_the_next_line() {
        let temp = tempfile::tempdir().expect("a folder");
        let path = Utf8Path::from_path(temp.path()).expect("UTF-8").join("journal.jsonl");
        let file = fs_err::OpenOptions::new().append(true).create_new(true).open(&path).expect("a file");
        let writer = Writer::open(&RunFolder("nowhere".into()), file, 0).expect("a writer");
        let write = |line: &str| lock(&writer.file).append(line.as_bytes());
        write("a\n").expect("there is room");
        writer.sync().expect("a disk");
        write("b\n").expect("there is room");
        lock(&writer.file).cut().expect("a file");
        assert_eq!(fs_err::read_to_string(&path).expect("the file"), "a\n");
        write("c\n").expect("there is room");
        assert_eq!(fs_err::read_to_string(&path).expect("the file"), "a\nb\nc\n");
        lock(&writer.file).cut().expect("a file");
        writer.sync().expect("a disk");
        assert_eq!(fs_err::read_to_string(&path).expect("the file"), "a\nb\nc\n");
        assert!(lock(&writer.file).unforced.is_empty());
    }
}
