//! The session that must be open before a request.

use crate::document::with_reading;
use crate::syntax::text::Text;

use super::Decision;
use super::case::Order;

/// The session that must be open.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct SessionNeed<'a> {
    /// Lifetime in seconds: as written, otherwise the default of the format (1800 in agents.txt
    /// 0.1.0, 3600 in agents.json 0.1).
    pub ttl_seconds: u32,
    /// The URL that opens a session: as written, otherwise the default of agents.json 0.1.
    pub create: Text<'a>,
    /// The URL that closes a session; absent if not written.
    pub delete: Option<Text<'a>>,
}

impl<'a> Decision<'a> {
    /// The session that must be open, with the defaults of the formats; absent if none is needed.
    pub fn session(&self) -> Option<SessionNeed<'a>> {
        if !self.session_required {
            return None;
        }
        let mut need = SessionNeed { ttl_seconds: 0, create: Text::EMPTY, delete: None };
        let (mut written, mut default) = (None, None);
        let mut order = Order::default();
        while let Some((_, document)) = self.case.next_in_order(&mut order) {
            let (usual, session) = with_reading(document, |reading| {
                (reading.usual_session(), reading.session().unwrap_or_default())
            });
            default = default.or(usual);
            written = written.or(session.ttl_seconds);
            if need.create.is_empty() {
                need.create = session.create.unwrap_or_default();
            }
            need.delete = need.delete.or(session.delete);
        }
        need.ttl_seconds = written.or(default)?;
        if need.create.is_empty() {
            need.create = Text::plain(b"/.well-known/agents/api/session");
        }
        Some(need)
    }
}
