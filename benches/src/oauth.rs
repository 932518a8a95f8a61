//! Metadata of OAuth's resources and authorization servers: from bytes to all typed values.

use serde::Deserialize;

use crate::structs::{Str, sum, sum_of};
use crate::{Task, read_unified};

/// This library and its peer. `agents_json` describes what each of them validates.
pub fn tasks() -> Vec<Task> {
    vec![
        Task::new("agentsdisc read, unified", read_unified),
        Task::new("serde_json structs", |bytes| {
            serde_json::from_slice::<Server<'_>>(bytes).ok().map(|server| server.touch())
        }),
    ]
}

/// The members of both documents.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Server<'a> {
    #[serde(borrow)]
    issuer: Option<Str<'a>>,
    #[serde(borrow)]
    resource: Option<Str<'a>>,
    #[serde(borrow)]
    resource_name: Option<Str<'a>>,
    #[serde(borrow)]
    resource_documentation: Option<Str<'a>>,
    #[serde(borrow)]
    authorization_endpoint: Option<Str<'a>>,
    #[serde(borrow)]
    token_endpoint: Option<Str<'a>>,
    #[serde(borrow)]
    registration_endpoint: Option<Str<'a>>,
    #[serde(borrow)]
    authorization_servers: Vec<Str<'a>>,
    #[serde(borrow)]
    bearer_methods_supported: Vec<Str<'a>>,
    #[serde(borrow)]
    scopes_supported: Vec<Str<'a>>,
    #[serde(borrow)]
    response_types_supported: Vec<Str<'a>>,
    #[serde(borrow)]
    grant_types_supported: Vec<Str<'a>>,
    #[serde(borrow)]
    token_endpoint_auth_methods_supported: Vec<Str<'a>>,
    #[serde(borrow)]
    code_challenge_methods_supported: Vec<Str<'a>>,
}

impl Server<'_> {
    fn touch(&self) -> u64 {
        let lists = [
            &self.authorization_servers,
            &self.bearer_methods_supported,
            &self.scopes_supported,
            &self.response_types_supported,
            &self.grant_types_supported,
            &self.token_endpoint_auth_methods_supported,
            &self.code_challenge_methods_supported,
        ];
        let texts = [
            &self.issuer,
            &self.resource,
            &self.resource_name,
            &self.resource_documentation,
            &self.authorization_endpoint,
            &self.token_endpoint,
            &self.registration_endpoint,
        ];
        lists.into_iter().map(sum).fold(sum_of(texts), u64::wrapping_add)
    }
}
