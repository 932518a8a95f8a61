//! Plans the request that calls the first capability of a document, and reads an answer to it.

use agentsdisc_core::call::{Answer, Call, Next, Options, Step};
use agentsdisc_core::policy::{Confirmation, Decision, Workspace};

use crate::calls::call as calls;
use crate::digest::Digest;
use crate::terminal::{Terminal, line};

/// Size of the largest request.
pub(crate) const ROOM: usize = 1024;

const ARGUMENTS: &[u8] = br#"{"q": "a mug", "limit": 3}"#;
const BODY: &[u8] = br#"{"id": 7}"#;
const NOW: u64 = 1_790_000_000;

pub(crate) fn print(
    terminal: &mut impl Terminal,
    decision: &Decision<'_>,
    workspace: &mut Workspace,
    buffer: &mut [u8; ROOM],
) {
    let mut options = Options::default();
    (options.has_credential, options.has_session) = (true, true);
    (options.undeclared, options.confirmed) = (true, Confirmation::Must);
    let (mut call, mut digest) = (Call::new(), Digest::new());
    terminal.begin();
    let plan = calls::plan(&mut call, decision, ARGUMENTS, &options, workspace, buffer);
    terminal.end("call");
    digest.truth(Some(plan.is_ok()));
    if let Ok(plan) = plan {
        match plan.step {
            Step::Http(request) => {
                digest.bytes(request.method.as_bytes());
                digest.bytes(request.url.as_bytes());
                digest.bytes(request.body.unwrap_or_default().as_bytes());
            }
            Step::Client(client) => {
                digest.bytes(client.url.as_bytes());
                digest.bytes(client.arguments.as_bytes());
            }
            _ => digest.absent(),
        }
    }
    let answer = Answer { status: 200, body: BODY, now: NOW, ..Answer::default() };
    terminal.begin();
    let next = calls::next(&mut call, decision, &answer, workspace, buffer);
    terminal.end("call");
    digest.truth(next.ok().map(|next| matches!(next, Next::Done(_))));
    line(terminal, &["  call: "], Some(digest.sum()));
}
