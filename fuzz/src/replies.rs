//! What servers reply: a sequence of replies with a NUL between them, each a line with the status (or `fail`), header lines, a blank line,
//! the body.

use agentsdisc_core::discovery::Header;

/// What a server replies.
pub struct Reply<'a> {
    /// The status; `None` if there is no reply.
    pub status: Option<u16>,
    pub headers: Vec<Header<'a>>,
    pub body: &'a [u8],
}

fn reply(bytes: &[u8]) -> Reply<'_> {
    let mut rest = bytes;
    let mut line = || {
        let end = rest.iter().position(|byte| *byte == b'\n');
        let (line, after) =
            end.map_or((rest, &rest[rest.len()..]), |end| (&rest[..end], &rest[end + 1..]));
        rest = after;
        line
    };
    let status = std::str::from_utf8(line()).ok().and_then(|text| text.parse().ok());
    let mut headers = Vec::new();
    loop {
        let line = line();
        let Some(colon) = line.iter().position(|byte| *byte == b':') else {
            break;
        };
        headers.push(Header { name: &line[..colon], value: &line[colon + 1..] });
    }
    Reply { status, headers, body: rest }
}

/// Reads replies, of which there is at least one.
pub fn replies(bytes: &[u8]) -> Vec<Reply<'_>> {
    bytes.split(|byte| *byte == 0).map(reply).collect()
}
