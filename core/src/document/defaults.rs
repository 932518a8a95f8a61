//! Values of agents.txt 0.1.0 and agents.json 0.1 with the defaults of the format. (The unified
//! model has only what is written.)

use core::fmt;

use super::Document;
use super::with_reading;
use crate::format::agents_txt_01::COMPANION_PATH;
use crate::syntax::text::Text;

/// The URL of a companion document, written by [`fmt::Display`].
#[derive(Clone, Copy, Debug)]
pub struct CompanionUrl<'a> {
    /// The URL as written, or the URL of the site.
    pub(crate) base: Text<'a>,
    /// What is appended to the URL of the site; empty for a URL that is written.
    pub(crate) path: &'static str,
}

impl CompanionUrl<'_> {
    /// Returns true if this URL is the default, because the document does not name its companion.
    pub const fn is_default(&self) -> bool {
        !self.path.is_empty()
    }
}

impl fmt::Display for CompanionUrl<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.base.chars().try_for_each(|c| fmt::Write::write_char(f, c))?;
        f.write_str(self.path)
    }
}

impl<'a> Document<'a> {
    /// The URL of the companion: as written (possibly relative), otherwise the default of the
    /// format, which only agents.txt 0.1.0 has: `/.well-known/agents.json` below the `URL` of the
    /// site, also if that has a path. `None` if there is neither, or if `URL` is invalid. Linear.
    ///
    /// ```
    /// use agentsdisc_core::Document;
    /// let document = Document::parse(b"Site: Mugs\nURL: https://mugs.example/shop/\nAllow: search\n")?;
    /// let companion = document.companion_url().unwrap();
    /// assert!(companion.is_default());
    /// assert_eq!(companion.to_string(), "https://mugs.example/shop/.well-known/agents.json");
    /// # Ok::<(), agentsdisc_core::Error>(())
    /// ```
    pub fn companion_url(&self) -> Option<CompanionUrl<'a>> {
        let written = with_reading(self, |reading| reading.head()).companion;
        if let Some(base) = written.filter(|written| !written.is_empty()) {
            return Some(CompanionUrl { base, path: "" });
        }
        Some(CompanionUrl { base: self.agents_txt_01()?.companion_base()?, path: COMPANION_PATH })
    }

    /// Whether the site must also serve an agents.json 0.1. True for an agents.txt 0.1.0 that has
    /// sessions (`cart.add`, `checkout`, …), or `Audit: true`. Linear.
    pub fn needs_companion(&self) -> bool {
        self.agents_txt_01().is_some_and(|text| text.needs_companion())
    }

    /// The lifetime of a session in seconds, with the default of the format: 1800 in agents.txt
    /// 0.1.0, 3600 in agents.json 0.1. `None` for other formats, and for an agents.json 0.1 without
    /// `session`. Linear.
    pub fn session_seconds(&self) -> Option<u32> {
        match self.agents_txt_01() {
            Some(text) => Some(text.session_ttl_or_default()),
            None => self.agents_json_01()?.session_ttl_or_default(),
        }
    }

    /// Whether the site records the activity of agents, with the default of agents.txt 0.1.0 and
    /// agents.json 0.1: false. `None` for other formats, and if the value cannot be read. Linear.
    pub fn is_audited(&self) -> Option<bool> {
        match self.agents_txt_01() {
            Some(text) => text.audit_or_default(),
            None => self.agents_json_01()?.audit_or_default(),
        }
    }
}
