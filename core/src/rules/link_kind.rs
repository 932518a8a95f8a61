//! What a link probably leads to.

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident = $id:literal,)*) => {
        /// The kind of target that a link probably leads to, according to its URL and its label.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
        #[non_exhaustive]
        #[repr(u8)]
        pub enum LinkKind {
            $($(#[$doc])* $name,)*
        }

        impl LinkKind {
            /// All kinds, in the order of their numbers.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// Returns the stable kebab-case id.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $id,)* }
            }
        }
    };
}

kinds! {
    /// None of the others.
    Other = "other",
    /// An endpoint of the Model Context Protocol, or the card of its server.
    McpEndpoint = "mcp-endpoint",
    /// An OpenAPI or Swagger description.
    OpenApi = "openapi",
    /// An A2A agent card.
    AgentCard = "agent-card",
    /// An llms.txt or llms-full.txt.
    LlmsTxt = "llms-txt",
    /// An AI catalog.
    AiCatalog = "ai-catalog",
    /// Documentation.
    Docs = "docs",
    /// A way to reach people.
    Contact = "contact",
    /// Payment.
    Payment = "payment",
    /// A licence, such as one of Really Simple Licensing.
    License = "license",
}
