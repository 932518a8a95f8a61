//! What other modules ask about this format.

use super::{RobotsTxt, unread};
use crate::diagnostic::Spec;
use crate::format::about::{About, Authenticates, DAY, Points, Says, TEXT, Takes};
use crate::format::facts::{Published, Serving};
use crate::kind::Format;

impl RobotsTxt<'_> {
    /// What other modules ask about the format.
    pub(crate) const FORMAT: About = About {
        check: |bytes, outline, _, _, report| {
            RobotsTxt::attach(bytes, outline).findings(|finding| report.add(finding));
        },
        reports_mark: true,
        is_of_site: false,
        says: Says::Rules,
        takes: Takes::Own,
        locations: &["/robots.txt"],
        accept: TEXT,
        heeds_robots: false,
        is_linked: false,
        keeping: (DAY, 0, DAY),
        points: Points::Field("Agentmap", Format::AiCatalog),
        authenticates: Authenticates::Capabilities,
        published: Published {
            document: "robots.txt",
            specification: "RFC 9309",
            spec: Spec::Rfc9309,
            serving: Some(Serving {
                types: &["text/plain"],
                is_type_required: true,
                sections: ["2.3", "2.3", "2.4", ""],
                ..Serving::JSON
            }),
            registry: Some(14),
            is_supporting: true,
            ..Published::NOTHING
        },
        lines: unread::Kind::Robots,
        ..About::NOTHING
    };
}
