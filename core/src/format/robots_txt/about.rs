//! What other rooms ask about this format.

use super::RobotsTxt;
use crate::format::about::{About, Says, Takes};

impl RobotsTxt<'_> {
    /// What other rooms ask about the format.
    pub(crate) const FORMAT: About = About {
        check: |bytes, outline, _, _, report| {
            RobotsTxt::attach(bytes, outline).findings(|finding| report.add(finding));
        },
        reports_mark: true,
        is_of_site: false,
        says: Says::Rules,
        takes: Takes::Own,
        ..About::NOTHING
    };
}
