//! The AI Catalog of Agentic Resource Discovery. The tables below define the format.
//!
//! A catalog declares no capabilities: its entries are references to other documents. An entry can
//! contain its document as `data`, which is not parsed.

mod about;
pub(crate) mod check;
pub(crate) mod signs;

use crate::model::{Head, List, Metadata, Raw, Reading, Reference, Service};
use crate::rules::json::reading::{Objects, Texts, document_metadata, kept, or_absent, raw, texts};
use crate::syntax::json::Value;
use crate::syntax::json::view::{Also, Object, Seen, view};
use crate::syntax::outline::Outline;
use crate::syntax::text::Text;

view! {
    /// The document, section 4.1.
    pub struct Top at "4.1" {
        /// `specVersion`, required before 0.91: `1.0`.
        spec_version: Text<'a> = b"specVersion" [Want(NO_VERSION), OneOf(&["1.0"], Case::Exact, VERSION)],
        /// `host`.
        host: Object<'a> = b"host" [Inside(Host::RULES)],
        /// `entries`, required.
        entries: Objects<'a> = b"entries" [Need, Filled(EMPTY), ThenValue(identifiers), Each(Entry::RULES)],
        /// `metadata`, which is not in the specification.
        metadata: Object<'a> = b"metadata",
        /// `@context` of JSON-LD.
        context: Also<Value<'a>> = b"@context",
        /// `@id` of JSON-LD: the URI of the catalog.
        id: Also<Text<'a>> = b"@id" [Fits(has_scheme, NO_ID)],
    }

    /// The operator of the catalog, section 4.3.
    pub struct Host at "4.3" {
        /// `displayName`, required.
        display_name: Text<'a> = b"displayName" [Need],
        /// `identifier`: a DID or a domain.
        identifier: Text<'a> = b"identifier" [Fits(is_operator, NO_OPERATOR)],
        /// `documentationUrl`.
        documentation_url: Text<'a> = b"documentationUrl" [PublicUrl(Secure::Web, Others::No)],
        /// `logoUrl`.
        logo_url: Text<'a> = b"logoUrl" [PublicUrl(Secure::Web, Others::No)],
        /// `trustManifest`.
        trust_manifest: Also<Object<'a>> = b"trustManifest" [Inside(TrustManifest::RULES)],
    }

    /// An entry, section 4.2.
    pub struct Entry at "4.2" welcomes OtherNames then entry {
        /// `identifier`, required: `urn:air:PUBLISHER:…:NAME`.
        identifier: Text<'a> = b"identifier" [Need],
        /// `displayName`, required.
        display_name: Text<'a> = b"displayName" [Need],
        /// `type`, required: a media type; or `mediaType`, its name in the
        /// AI Catalog specification, on which ARD builds.
        kind: Text<'a> = b"type" | b"mediaType" [Need, Fits(is_media_type, NO_MEDIA_TYPE)],
        /// `url` of the document. An entry has either `url` or `data`.
        url: Text<'a> = b"url" [If(has_no_data, &Want(NO_CONTENT)), At("3.4", &PublicUrl(Secure::Http, Others::No))],
        /// `data`, the document itself; also read: `inline`, of earlier versions.
        data: Value<'a> = b"data" | b"inline" [If(is_of_ard, &IsObject(NO_DATA))],
        /// `description`.
        description: Text<'a> = b"description",
        /// `tags`.
        tags: Texts<'a> = b"tags" [Texts],
        /// `capabilities`: names of skills and tools.
        capabilities: Also<Texts<'a>> = b"capabilities" [Texts],
        /// `representativeQueries`: 2 to 5.
        representative_queries: Also<Texts<'a>> = b"representativeQueries" [Texts, ThenValue(queries)],
        /// `version`.
        version: Text<'a> = b"version",
        /// `updatedAt`.
        updated_at: Text<'a> = b"updatedAt" [Fits(is_iso_8601, NO_TIME)],
        /// `metadata`.
        metadata: Object<'a> = b"metadata",
        /// `trustManifest`.
        trust_manifest: Object<'a> = b"trustManifest" [Inside(TrustManifest::RULES)],
    }

    /// Declarations about the trustworthiness of a host or an entry, section 5.1.
    pub struct TrustManifest at "5.1" {
        /// `identity`, required: a URI.
        identity: Text<'a> = b"identity" [Need, Fits(has_scheme, NO_URI)],
        /// `identityType`: spiffe, did, https, dns or other.
        identity_type: Text<'a> = b"identityType" [OneOf(&["spiffe", "did", "https", "dns", "other"], Case::Exact, NO_IDENTITY_TYPE)],
        /// `trustSchema`.
        trust_schema: Object<'a> = b"trustSchema" [Inside(TrustSchema::RULES)],
        /// `attestations`.
        attestations: Objects<'a> = b"attestations" [Each(Attestation::RULES)],
        /// `provenance`.
        provenance: Objects<'a> = b"provenance" [Each(Provenance::RULES)],
        /// `signature`: a detached JWS.
        signature: Text<'a> = b"signature" [Fits(is_detached, NO_SIGNATURE)],
    }

    /// The framework of a trust manifest.
    pub struct TrustSchema at "5.1" {
        /// `identifier`, required.
        identifier: Text<'a> = b"identifier" [Need],
        /// `version`, required.
        version: Text<'a> = b"version" [Need],
        /// `governanceUri`.
        governance_uri: Text<'a> = b"governanceUri" [PublicUrl(Secure::NotAsked, Others::Uris)],
        /// `verificationMethods`.
        verification_methods: Texts<'a> = b"verificationMethods" [Texts],
    }

    /// A claim, section 5.2.
    pub struct Attestation at "5.2" {
        /// `type`, required.
        kind: Text<'a> = b"type" [Need],
        /// `uri`, required.
        uri: Text<'a> = b"uri" [Need, PublicUrl(Secure::NotAsked, Others::Uris)],
        /// `mediaType`, required by the schema only.
        media_type: Text<'a> = b"mediaType" [Want(NO_ATTESTATION_TYPE), Fits(is_media_type, NO_DOCUMENT_TYPE)],
        /// `digest`.
        digest: Text<'a> = b"digest",
    }

    /// A link to the source of an artifact, section 5.3.
    pub struct Provenance at "5.3" {
        /// `relation`, required: derivedFrom, publishedFrom or copiedFrom.
        relation: Text<'a> = b"relation" [Need, OneOf(&["derivedFrom", "publishedFrom", "copiedFrom"], Case::Exact, NO_RELATION)],
        /// `sourceId`, required.
        source_id: Text<'a> = b"sourceId" [Need],
        /// `sourceDigest`.
        source_digest: Text<'a> = b"sourceDigest",
    }
}

/// A parsed AI Catalog.
#[derive(Clone, Copy, Debug)]
pub struct AiCatalog<'a> {
    /// The top-level members.
    pub top: Top<'a>,
}

impl<'a> AiCatalog<'a> {
    pub(crate) fn attach(bytes: &'a [u8], outline: &Outline) -> Self {
        Self { top: Top::attach(bytes, outline) }
    }
}

impl<'a> Reading<'a> for AiCatalog<'a> {
    fn head(&self) -> Head<'a> {
        Head { spec_version: self.top.spec_version, ..Head::default() }
    }

    fn service(&self) -> Option<Service<'a>> {
        let host = Host::read(or_absent(&self.top.host));
        (host.seen != Seen::NOTHING).then(|| Service {
            name: host.display_name,
            identifier: host.identifier,
            docs: host.documentation_url,
            icon: host.logo_url,
            metadata: kept::<Host<'_>>(&host.object, &host.seen),
            source: host.object.raw(),
            ..Service::default()
        })
    }

    fn references(&self) -> List<'a, Reference<'a>> {
        Objects::list(self.top.entries, |cursor| cursor.next_view().map(|entry| reference(&entry)))
    }

    fn metadata(&self) -> Metadata<'a> {
        document_metadata::<Top<'_>>(self.top.object, &self.top.seen, self.top.metadata)
    }
}

fn reference<'a>(entry: &Entry<'a>) -> Reference<'a> {
    Reference {
        identifier: entry.identifier,
        title: entry.display_name,
        url: entry.url,
        description: entry.description,
        media_type: entry.kind,
        version: entry.version,
        updated_at: entry.updated_at,
        tags: texts(entry.tags),
        inline: raw(&entry.data),
        trust: entry.trust_manifest.map(|Object(trust)| Raw::Json(trust)),
        metadata: document_metadata::<Entry<'_>>(entry.object, &entry.seen, entry.metadata),
        source: entry.object.raw(),
        ..Reference::default()
    }
}
