//! The documents: conformance vectors, embedded at compile time. The C firmware has the same
//! documents (`embedded/c/documents.c`).

/// A document, named by its path under `conformance/`.
pub(crate) struct Vector {
    pub(crate) name: &'static str,
    pub(crate) bytes: &'static [u8],
}

macro_rules! vectors {
    ($($feature:literal $name:literal,)*) => {
        /// One to three documents of each selected format, large and small.
        pub(crate) const VECTORS: &[Vector] = &[$(
            #[cfg(feature = $feature)]
            Vector { name: $name, bytes: include_bytes!(concat!("../../../conformance/", $name, ".in")) },
        )*];
    };
}

vectors! {
    "agents-txt-draft" "agents-txt/examples/full",
    "agents-txt-draft" "agents-txt/examples/minimal",
    "agents-txt-01" "agents-txt-0.1/examples/full",
    "agents-txt-01" "agents-txt-0.1/examples/flow",
    "agents-json" "agents-json/examples/every-member",
    "agents-json" "agents-json/examples/minimal",
    "agents-json" "agents-json-0.1/examples/full",
    "agents-md" "agents-md/examples/techmart",
    "agents-md" "agents-md/examples/format-b",
    "agents-md" "agents-md/examples/blog",
    "awp" "awp/examples/flights",
    "awp" "awp/examples/fragments",
    "awp" "awp/examples/synthetic",
    "adp" "adp/examples/mailforge",
    "adp" "adp-capability/examples/all-members",
    "adp" "adp-search/examples/two",
    "a2a" "a2a-agent-card/versions/all-members-1.0",
    "a2a" "a2a-agent-card/versions/all-members-0.3",
    "mcp-card" "mcp-server-card/schema/all-members",
    "mcp-card" "mcp-server-card/tools/all-members",
    "llms-txt" "llms-txt/dialects/full",
    "catalogs" "ai-catalog/entries/all-members",
    "catalogs" "agent-skills/examples/version-0.2",
    "catalogs" "api-catalog/examples/metadata",
    "robots-txt" "robots-txt/examples/rfc-simple",
    "robots-txt" "robots-txt/examples/rfc-encoding",
}
