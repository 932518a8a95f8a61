//! What a document says, as something that can be compared: for the tests, and for the fuzz target.
#![allow(unreachable_pub)]

use agentsdisc_core::manifest::{AgentPolicy, Capability, Parameter, Visitor};
use agentsdisc_core::{Document, Error, ParseOptions};

#[derive(Default)]
struct Told(Vec<String>);

impl<'a> Visitor<'a> for Told {
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

/// What a visitor is told in one pass.
pub fn told(text: &[u8], options: &ParseOptions<'_>) -> Result<Vec<String>, Error> {
    let mut told = Told::default();
    Document::read(text, options, &mut told)?;
    Ok(told.0)
}

/// The unified model, as JSON.
pub fn model(text: &[u8], options: &ParseOptions<'_>) -> Result<Vec<u8>, Error> {
    let document = Document::parse_with(text, options)?;
    let mut json = Vec::new();
    document.put_json(&mut |piece: &[u8]| json.extend_from_slice(piece));
    Ok(json)
}
