//! Whether the declaration of an agent's operator names a platform (Internet-Draft sections 2.3 and 2.7).

use super::origin::{Moved, Origin, moved};
use crate::document::Manifest;
use crate::model::Kind;
use crate::syntax::url::BUFFER;

/// What the declaration of an operator states about a platform whose `Agent-Declaration` refers to
/// it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(u8)]
pub enum Declared {
    /// Its `Operates-On` names the platform.
    Named = 0,
    /// Its `Operates-On` does not name the platform.
    NotNamed = 1,
    /// The document is not a declaration of an agent.
    NotAnAgent = 2,
}

impl Declared {
    /// `named`, `not-named` or `not-an-agent`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Named => "named",
            Self::NotNamed => "not-named",
            Self::NotAnAgent => "not-an-agent",
        }
    }

    /// Searches a declaration for a platform. The origin must match; a path, https instead of http,
    /// and `www.` make no difference. Linear.
    ///
    /// ```
    /// use agentsdisc_core::{Document, discovery::{Declared, Origin}};
    /// let text = b"Spec-Version: 1.0\nDeclaration-Type: agent\nSite-Name: Bot\nSite-URL: https://bot.example\nOperates-On: https://www.mugs.example/\n";
    /// let (document, mugs) = (Document::parse(text).unwrap(), Origin::parse("mugs.example").unwrap());
    /// assert_eq!(Declared::of(&document.manifest(), &mugs), Declared::Named);
    /// ```
    pub fn of(declaration: &Manifest<'_>, platform: &Origin) -> Self {
        if declaration.head().kind.value != Kind::Agent {
            return Self::NotAnAgent;
        }
        let Some(own) = platform.url() else {
            return Self::NotNamed;
        };
        let mut buffer = [0; BUFFER];
        for text in declaration.operates_on() {
            let Some(named) =
                text.decode(&mut buffer).ok().and_then(|text| Origin::parse(text).ok())
            else {
                continue;
            };
            let Some(named) = named.url() else { continue };
            if moved(&named, &own) <= Moved::Canonical || moved(&own, &named) <= Moved::Canonical {
                return Self::Named;
            }
        }
        Self::NotNamed
    }
}
