//! What other modules ask about this format.

use super::{RobotsTxt, unread};
use crate::format::about::{About, DAY, Points, Says, TEXT, Takes};
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
        lines: unread::Kind::Robots,
        ..About::NOTHING
    };
}
