//! Texts of the unified model that documents do not write.

/// What cards imply without writing it: names of protocols, of relations, of headers and of kinds of
/// security schemes. All other texts of the model are slices of the document's bytes.
pub const IMPLIED: [&str; 10] = [
    "a2a",
    "mcp",
    "repository",
    "Authorization",
    "Bearer",
    "apiKeySecurityScheme",
    "httpAuthSecurityScheme",
    "oauth2SecurityScheme",
    "openIdConnectSecurityScheme",
    "mtlsSecurityScheme",
];
