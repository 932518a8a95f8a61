//! The outline of an agents.md in the form that all formats share.

use super::gateway::Gateway;
use super::{AgentsMdOutline, FrontMatter, McpSource, Slot};
use crate::format::Format;
use crate::span::Span;
use crate::syntax::outline::Outline;

// Indexes of the outline. First the texts; for each text, four bits of the flags have its state and
// escape. Then the ranges of YAML. Then, for each kind of section, the offset of the first section
// and the number of sections (1, or 2 for more than one). Last, the offset of the Markdown with the
// nesting limit.
const TEXTS: usize = 6;
const YAML: usize = 6;
const MCP_YAML: usize = 7;
const SECTIONS: usize = 8;
const BODY: usize = 13;
/// The first bits in the flags of the state of the front matter (`FRONT_MATTER`), and of the source
/// of the gateway (`MCP`).
const FRONT_MATTER: u32 = 24;
const MCP: u32 = 26;
/// The first bit in the flags of the parts of the front matter that have metadata.
const KEPT: u32 = 28;

impl AgentsMdOutline {
    fn texts(&self) -> [Slot; TEXTS] {
        [
            self.title,
            self.description,
            self.version,
            self.gateway.endpoint,
            self.gateway.transport,
            self.gateway.auth,
        ]
    }

    /// Packs the outline into the form that all formats share.
    pub(super) fn pack(&self, body: Span) -> Outline {
        let mut outline = Outline::new(Format::AgentsMd, body);
        for (i, text) in self.texts().iter().enumerate() {
            outline.set(i, text.span);
            outline.flags |= text.bits << (4 * i);
        }
        outline.set(YAML, self.yaml);
        outline.set(MCP_YAML, self.mcp_yaml);
        for (i, first) in self.first.iter().enumerate() {
            if let Some(start) = *first {
                outline.set(SECTIONS + i, Span::new(start, 1 + u32::from(self.repeated >> i & 1)));
            }
        }
        outline.set(BODY, Span::new(self.body, u32::from(self.depth)));
        outline.flags |= (self.front_matter as u32) << FRONT_MATTER
            | self.mcp.map_or(0, |source| source as u32 + 1) << MCP;
        outline.flags |= u32::from(self.kept) << KEPT;
        outline
    }

    pub(super) fn unpack(outline: &Outline) -> Self {
        let span = |place: usize| outline.fields.get(place).copied().unwrap_or_default();
        let text = |i: usize| Slot { span: span(i), bits: outline.flags >> (4 * i) & 15 };
        let (mut first, mut repeated) = ([None; 5], 0);
        for (i, place) in first.iter_mut().enumerate() {
            let Span { start, end } = span(SECTIONS + i);
            *place = (end > 0).then_some(start);
            repeated |= u8::from(end > 1) << i;
        }
        Self {
            front_matter: match outline.flags >> FRONT_MATTER & 3 {
                0 => FrontMatter::Absent,
                1 => FrontMatter::Closed,
                _ => FrontMatter::Unclosed,
            },
            yaml: span(YAML),
            mcp_yaml: span(MCP_YAML),
            body: span(BODY).start,
            depth: span(BODY).end as u16,
            title: text(0),
            description: text(1),
            version: text(2),
            mcp: match outline.flags >> MCP & 3 {
                0 => None,
                1 => Some(McpSource::FrontMatter),
                _ => Some(McpSource::Section),
            },
            gateway: Gateway { endpoint: text(3), transport: text(4), auth: text(5) },
            first,
            repeated,
            kept: (outline.flags >> KEPT & 3) as u8,
        }
    }
}
