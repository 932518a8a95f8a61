//! Writes a document: the unified model as JSON, and an agents.json.

use agentsdisc_core::Document;

use crate::calls;
use crate::digest::Digest;
use crate::terminal::{Terminal, line};

pub(crate) fn print(terminal: &mut impl Terminal, document: &Document<'_>, buffer: &mut [u8]) {
    #[cfg(feature = "json")]
    {
        terminal.begin();
        let length = calls::write_json(document, buffer);
        terminal.end("json");
        line(terminal, &["  unified JSON: "], Some(sum(buffer, length)));
    }
    #[cfg(feature = "write")]
    {
        terminal.begin();
        let (length, losses) = calls::convert(document, buffer);
        terminal.end("convert");
        line(terminal, &["  agents.json of it: "], Some(sum(buffer, length)));
        line(terminal, &["  losses: "], Some(losses));
    }
}

/// The digest of an empty text, if nothing was written.
fn sum(buffer: &[u8], length: Option<usize>) -> u32 {
    let mut digest = Digest::new();
    digest.bytes(length.and_then(|length| buffer.get(..length)).unwrap_or_default());
    digest.sum()
}
