//! Where the bytes of an archive come from.

use std::fmt;
use std::io::{self, Read};
use std::sync::Arc;

/// The bytes that are read at once behind what was the end of a file.
const GROWN: usize = 1 << 12;

/// The bytes of an archive: a file, of which any part can be read at any time, a stream that is read once, or bytes in memory.
pub struct Source(Kind);

#[derive(Clone)]
enum Kind {
    /// A file and its size, which may be wrong.
    File(Arc<std::fs::File>, u64),
    /// A file, the start of the section, and its size.
    Section(Arc<std::fs::File>, u64, u64),
    Bytes(Arc<[u8]>),
    Stream(Arc<std::sync::Mutex<Box<dyn Read + Send>>>),
}

impl Source {
    /// A file. A regular file is read with `pread`, so its position does not matter and does not change; anything else is read as a stream.
    /// The file may shrink while it is read: what is missing is an error in the rows, and nothing else happens.
    pub fn file(file: std::fs::File) -> io::Result<Self> {
        let state = file.metadata()?;
        if state.is_file() {
            return Ok(Self(Kind::File(Arc::new(file), state.len())));
        }
        Ok(Self::stream(file))
    }

    /// The bytes of a regular file from `start` on, such as an archive in a WACZ. What the file does not have is missing at the end.
    pub fn section(file: std::fs::File, start: u64, size: u64) -> Self {
        Self(Kind::Section(Arc::new(file), start, size))
    }

    /// A stream, such as a pipe. One thread reads it.
    pub fn stream(stream: impl Read + Send + 'static) -> Self {
        Self(Kind::Stream(Arc::new(std::sync::Mutex::new(Box::new(stream)))))
    }

    /// Bytes in memory.
    pub fn bytes(data: impl Into<Arc<[u8]>>) -> Self {
        Self(Kind::Bytes(data.into()))
    }

    /// The same bytes for another thread; `None` for a stream.
    pub(crate) fn shared(&self) -> Option<Self> {
        match &self.0 {
            Kind::Stream(_) => None,
            kind => Some(Self(kind.clone())),
        }
    }

    /// The size; `None` for a stream.
    pub(crate) fn size(&self) -> Option<u64> {
        match &self.0 {
            Kind::File(_, size) | Kind::Section(_, _, size) => Some(*size),
            Kind::Bytes(data) => Some(data.len() as u64),
            Kind::Stream(_) => None,
        }
    }

    /// The size if the last byte is not there.
    pub(crate) fn missing(&self) -> Option<u64> {
        let size = self.size().filter(|size| *size > 0)?;
        let found = self.append(size - 1, 1, &mut Vec::new());
        (found != Ok(1)).then_some(size)
    }

    /// Appends up to `size` bytes at `at`, of a stream the next ones. Returns how many; 0 at the end.
    pub(crate) fn append(&self, at: u64, size: usize, data: &mut Vec<u8>) -> Result<usize, String> {
        let begin = data.len();
        // Room for more than there is would be most of the work for a small file. A file may have grown.
        let left = self.size().map_or(u64::MAX, |whole| whole.saturating_sub(at));
        let left = usize::try_from(left).unwrap_or(usize::MAX);
        let size = size.min(left.max(GROWN));
        data.resize(begin + size, 0);
        let room = data.get_mut(begin..).unwrap_or_default();
        let found = match &self.0 {
            Kind::File(file, _) => retried(|| read_at(file, at, room)),
            Kind::Section(file, start, _) => {
                let room = room.get_mut(..size.min(left)).unwrap_or_default();
                retried(|| read_at(file, start.saturating_add(at), room))
            }
            Kind::Bytes(bytes) => {
                let from = usize::try_from(at).unwrap_or(usize::MAX).min(bytes.len());
                let given = crate::bytes::part(bytes, from, from.saturating_add(size));
                room.iter_mut().zip(given).for_each(|(to, byte)| *to = *byte);
                Ok(given.len())
            }
            Kind::Stream(stream) => match stream.lock() {
                Ok(mut stream) => retried(|| stream.read(room)),
                Err(_) => Err(io::Error::other("the stream failed")),
            },
        };
        data.truncate(begin + found.as_ref().copied().unwrap_or(0));
        found.map_err(|problem| why(&problem))
    }
}

fn retried(mut read: impl FnMut() -> io::Result<usize>) -> io::Result<usize> {
    loop {
        match read() {
            Err(problem) if problem.kind() == io::ErrorKind::Interrupted => {}
            other => return other,
        }
    }
}

/// What the system says of an error, in lower case and without its number.
pub(crate) fn why(problem: &io::Error) -> String {
    let said = problem.to_string();
    let said = said.split(" (os error").next().unwrap_or(&said);
    said.to_lowercase()
}

#[cfg(unix)]
fn read_at(file: &std::fs::File, at: u64, room: &mut [u8]) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, room, at)
}

#[cfg(windows)]
fn read_at(file: &std::fs::File, at: u64, room: &mut [u8]) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, room, at)
}

impl fmt::Debug for Source {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(match &self.0 {
            Kind::File(..) => "Source::file",
            Kind::Section(..) => "Source::section",
            Kind::Bytes(_) => "Source::bytes",
            Kind::Stream(_) => "Source::stream",
        })
    }
}
