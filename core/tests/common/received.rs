//! The content of a document in a comparable form, for the tests and the fuzz target.
#![allow(unreachable_pub)]

use agentsdisc_core::manifest::{AgentPolicy, Capability, Parameter, Visitor};
use agentsdisc_core::{Document, Error, ParseOptions};

#[derive(Default)]
struct Received(Vec<String>);

impl<'a> Visitor<'a> for Received {
    fn restart(&mut self) {
        self.0.clear();
    }
    fn parameter(&mut self, parameter: &Parameter<'a>) {
        self.0.push(format!("{parameter:?}"));
    }
    fn capability(&mut self, capability: &Capability<'a>) {
        self.0.push(format!("{capability:?}"));
    }
    fn agent(&mut self, policy: &AgentPolicy<'a>) {
        self.0.push(format!("{policy:?}"));
    }
}

/// Returns what a visitor receives in one pass.
pub fn received(text: &[u8], options: &ParseOptions<'_>) -> Result<Vec<String>, Error> {
    let mut received = Received::default();
    Document::read(text, options, &mut received)?;
    Ok(received.0)
}

/// Returns the unified model as JSON.
pub fn model(text: &[u8], options: &ParseOptions<'_>) -> Result<Vec<u8>, Error> {
    let document = Document::parse_with(text, options)?;
    let mut json = Vec::new();
    document.put_json(&mut |piece: &[u8]| json.extend_from_slice(piece));
    Ok(json)
}
