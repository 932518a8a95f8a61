//! What other modules ask about this format.

use super::{AgentsTxt01, check, parse};
use crate::diagnostic::Spec;
use crate::format::about::{About, Authenticates, MONTH, Takes};
use crate::format::facts::{Published, Serving};

impl AgentsTxt01<'_> {
    /// What other modules ask about the format.
    pub(crate) const FORMAT: About = About {
        parse,
        check: |bytes, outline, _, scratch, report| {
            check::check(&AgentsTxt01::attach(bytes, outline), scratch, report);
        },
        rank: 3,
        takes: Takes::Version01,
        keeping: (300, 60, MONTH),
        authenticates: Authenticates::Capabilities,
        published: Published {
            document: "agents.txt",
            specification: "agents.txt 0.1.0",
            spec: Spec::AgentsTxt01,
            serving: Some(Serving {
                types: &["text/plain"],
                is_type_required: true,
                needs_charset: true,
                sections: ["", "Format Rules", "", ""],
                ..Serving::JSON
            }),
            registry: Some(6),
            ..Published::NOTHING
        },
        heeds_robots: false,
        ..About::NOTHING
    };
}
