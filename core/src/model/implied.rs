//! Texts of the unified model that are not in the bytes of a document.

/// The texts that cards imply but do not contain: names of protocols, of relations, of headers and
/// of kinds of security schemes. All other texts of the model are slices of the document's bytes.
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
