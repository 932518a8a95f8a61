//! Profiles of the Universal Commerce Protocol (UCP). The tables below define the format.
//!
//! A registry is an object from names to lists of entries, one entry for each version or transport.
//! Also read, from profiles of version 2026-01-11: a service with its transports as members, a list
//! of capabilities with names, and `payment.handlers`.

mod about;
pub(crate) mod check;

use crate::format::signature_directory::key_of;
use crate::model::list::{Cursor, states};
use crate::model::{
    self, Capability, Choice, Endpoint, Extension, Head, List, Member, Metadata, Plan, Pricing,
    Protocol, Raw, Reading, Service,
};
use crate::rules::json::reading::{
    self, Objects, Own as _, Texts, are_all, document_metadata_and, document_metadata_beside, kept,
    kept_and, or_absent, raw, stays,
};
use crate::syntax::json::lookup::Lookup;
use crate::syntax::json::view::{Also, Object, Read, Seen, Shape, view};
use crate::syntax::json::{self, Kind, Value, comma_end, next_element, next_member, next_name};
use crate::syntax::outline::Outline;
use crate::syntax::text::Text;

view! {
    /// The document.
    pub struct Top at "Profile Structure" welcomes Others {
        /// `ucp`, required: what the party supports.
        ucp: Object<'a> = b"ucp" [Need, Inside(Ucp::RULES)],
        /// `keys`: public keys for signatures, a JWK set.
        keys: Objects<'a> = b"keys" | b"signing_keys" [Each(Key::RULES)],
        /// `payment` of 2026-01-11, with `handlers`.
        payment: Also<Object<'a>> = b"payment" [Gone(OLD, "`payment_handlers` in `ucp`")],
        /// `business`, which is not in the specification.
        business: Object<'a> = b"business" | b"merchant" [Inside(Business::RULES)],
    }

    /// What a party supports.
    pub struct Ucp at "Profile Structure" welcomes Others then registries {
        /// `version`, required: a date.
        version: Text<'a> = b"version" [At("Version Format", &Need), At("Version Format", &Fits(is_date, NO_DATE))],
        /// `services`, required: from name to bindings.
        services: Registry<'a> = b"services" [Need, Names],
        /// `capabilities`, from name to versions.
        capabilities: Registry<'a> = b"capabilities" [Names],
        /// `payment_handlers`, required: from name to configurations.
        payment_handlers: Registry<'a> = b"payment_handlers" [Need, Names],
        /// `supported_versions`: from an older version to the URL of its profile.
        supported_versions: Also<Object<'a>> = b"supported_versions" [Names],
        /// `map_order`: the preferred order of the names in a registry.
        map_order: Also<Object<'a>> = b"map_order" [Names],
        /// `ucp`, which must not be here.
        nested: Also<Value<'a>> = b"ucp" [At("The `ucp` Protocol Namespace", &Gone(NESTED, ""))],
    }

    /// A binding of a service to a transport.
    pub struct Binding at "Services" welcomes Others {
        /// `version`, required: a date.
        version: Text<'a> = b"version" [Need, Fits(is_date, NO_DATE)],
        /// `transport`, required: rest, mcp, a2a or embedded.
        transport: Text<'a> = b"transport" [If(is_one_binding, &Need), OneOf(&["rest", "mcp", "a2a", "embedded"], Case::Exact, NO_TRANSPORT)],
        /// `endpoint`: the URL to which the paths of operations are appended, or of the agent card.
        endpoint: Text<'a> = b"endpoint" [At("Endpoint Resolution", &If(is_called, &Want(NO_ENDPOINT))), At("Endpoint Resolution", &PublicUrl(Secure::Http, Others::No)), At("Endpoint Resolution", &Fits(ends_without_slash, SLASH))],
        /// `spec`: documentation for people.
        spec: Also<Text<'a>> = b"spec" [SPEC],
        /// `schema`: the OpenAPI or OpenRPC description.
        schema: Also<Text<'a>> = b"schema" [SCHEMA],
        /// `rest` of 2026-01-11.
        rest: Object<'a> = b"rest" [Gone(OLD, "an entry with `transport`")],
        /// `mcp` of 2026-01-11.
        mcp: Object<'a> = b"mcp" [Gone(OLD, "an entry with `transport`")],
        /// `a2a` of 2026-01-11.
        a2a: Object<'a> = b"a2a" [Gone(OLD, "an entry with `transport`")],
        /// `embedded` of 2026-01-11.
        embedded: Object<'a> = b"embedded" [Gone(OLD, "an entry with `transport`")],
    }

    /// A version of a capability or of an extension.
    pub struct Feature at "Capabilities" welcomes Others {
        /// `version`, required: a date.
        version: Also<Text<'a>> = b"version" [Need, Fits(is_date, NO_DATE)],
        /// `spec`: documentation for people.
        spec: Also<Text<'a>> = b"spec" [SPEC],
        /// `schema`, required: the JSON Schema.
        schema: Also<Text<'a>> = b"schema" [At("Authority Binding", &Need), SCHEMA],
        /// `extends`: the capabilities that an extension augments.
        extends: Parents<'a> = b"extends" [At("Extensions", &Texts), At("Extensions", &EachText(&Fits(is_name, NO_NAME)))],
        /// `config`.
        config: Value<'a> = b"config" [IsObject(NO_CONFIG)],
        /// `name` of 2026-01-11.
        name: Text<'a> = b"name" [If(is_listed, &Need), Fits(is_name, NO_NAME)],
    }

    /// A configuration of a payment handler.
    pub struct Handler at "Payment Handlers" welcomes Others {
        /// `id`, required.
        id: Also<Text<'a>> = b"id" [Need],
        /// `version`, required: a date.
        version: Also<Text<'a>> = b"version" [Need, Fits(is_date, NO_DATE)],
        /// `spec`: documentation for people.
        spec: Also<Text<'a>> = b"spec" [SPEC],
        /// `schema`: the JSON Schema of the configuration.
        schema: Also<Text<'a>> = b"schema" [SCHEMA],
        /// `available_instruments`.
        instruments: Also<Objects<'a>> = b"available_instruments" [Each(Instrument::RULES)],
        /// `config`.
        config: Also<Value<'a>> = b"config" [IsObject(NO_CONFIG)],
        /// `name` of 2026-01-11.
        name: Text<'a> = b"name" [If(is_listed, &Need)],
    }

    /// A kind of payment instrument.
    pub struct Instrument at "Payment Handlers" welcomes Others {
        /// `type`, required.
        kind: Text<'a> = b"type" [Need],
    }

    /// A public key, a JWK.
    pub struct Key at "Key Discovery" welcomes Others then key {
        /// `kid`, required.
        id: Text<'a> = b"kid" [Need, Unique(KEY_TWICE)],
        /// `kty`, required.
        kind: Text<'a> = b"kty" [Need],
        /// `crv`, required of EC and OKP keys.
        curve: Text<'a> = b"crv" [If(is_elliptic, &Need)],
        /// `x`, required of EC and OKP keys.
        x: Text<'a> = b"x" [If(is_elliptic, &Need)],
        /// `y`, required of EC keys.
        y: Text<'a> = b"y" [If(is_ec, &Need)],
        /// `alg`.
        algorithm: Text<'a> = b"alg",
    }

    /// The business, as some profiles describe it.
    pub struct Business at "" welcomes Anything {
        /// `name`.
        name: Text<'a> = b"name",
        /// `description`.
        description: Text<'a> = b"description",
        /// `url`.
        url: Text<'a> = b"url",
    }

    /// `payment` of 2026-01-11.
    pub struct Payment at "" welcomes Anything {
        /// `handlers`.
        handlers: Registry<'a> = b"handlers",
    }
}

/// The capabilities that an extension augments: a name, or a list of names.
#[derive(Clone, Copy, Debug)]
pub struct Parents<'a>(pub List<'a, Text<'a>>);

impl<'a> Read<'a> for Parents<'a> {
    const SHAPE: Shape = Shape::Any;

    const KEPT: bool = true;

    fn read(value: Value<'a>) -> Option<Self> {
        matches!(value.kind(), Kind::Array | Kind::String).then(|| Self(Texts::of(value)))
    }

    fn keeps(_: Value<'a>) -> bool {
        true
    }
}

/// An object from names to lists of entries; also read: from names to single entries, and a list of
/// entries with names.
#[derive(Clone, Copy, Debug)]
pub struct Registry<'a>(pub Value<'a>);

impl<'a> Read<'a> for Registry<'a> {
    const SHAPE: Shape = Shape::Object;

    const KEPT: bool = true;

    fn read(value: Value<'a>) -> Option<Self> {
        matches!(value.kind(), Kind::Object | Kind::Array).then_some(Self(value))
    }

    fn keeps(value: Value<'a>) -> bool {
        let is_read = |value: Value<'_>| match value.kind() {
            Kind::Array => are_all(value, Kind::Object),
            kind => matches!(kind, Kind::Object | Kind::Null),
        };
        match value.kind() {
            Kind::Array => !are_all(value, Kind::Object),
            _ => !value.members().all(|member| is_read(member.value)),
        }
    }
}

states! {
    /// Where the next entry of a registry is.
    struct Place {
        /// The offset of the name of the list that is being read, plus 1; 0 between two lists.
        name: u32[28],
        /// Whether the registry is a list.
        is_listed: bool,
        /// The number of transports of the entry that were already read.
        transport: u32[3],
    }
}

impl<'a> Registry<'a> {
    /// Creates a list that `step` takes from the entries.
    fn list<T>(registry: Option<Self>, step: fn(&mut Cursor<'a>) -> Option<T>) -> List<'a, T> {
        registry.map_or_else(List::empty, |Self(value)| {
            let is_listed = value.kind() == Kind::Array;
            let inside = value.inside(if is_listed { b'[' } else { b'{' });
            List::new(inside, Place { name: 0, is_listed, transport: 0 }, step)
        })
    }

    /// Returns the entries with their names.
    fn entries(registry: Option<Self>) -> List<'a, (Option<Text<'a>>, Value<'a>)> {
        Self::list(registry, next_entry)
    }
}

/// Returns the next entry of a registry, and its name unless the registry is a list.
fn next_entry<'a>(cursor: &mut Cursor<'a>) -> Option<(Option<Text<'a>>, Value<'a>)> {
    loop {
        let mut place: Place = cursor.state();
        place.transport = 0;
        cursor.set(place);
        if place.is_listed {
            return cursor.next_object().map(|entry| (None, entry));
        }
        if let Some(mut name) = place.name.checked_sub(1) {
            if let Some(entry) = cursor.next_object() {
                return Some((next_name(cursor.bytes, &mut name), entry));
            }
            place.name = 0;
            cursor.set(place);
            cursor.position = comma_end(cursor.bytes, cursor.position as usize) as u32;
        }
        let start = cursor.position;
        let name = next_name(cursor.bytes, &mut cursor.position)?;
        let inside = cursor.position;
        let value = next_element(cursor.bytes, &mut cursor.position)?;
        match value.kind() {
            Kind::Object => return Some((Some(name), value)),
            Kind::Array if !value.inside(b'[').trim_ascii().is_empty() => {
                place.name = start.saturating_add(1);
                cursor.set(place);
                cursor.position = inside.saturating_add(1);
            }
            _ => {}
        }
    }
}

/// A parsed profile of the Universal Commerce Protocol.
#[derive(Clone, Copy, Debug)]
pub struct UcpProfile<'a> {
    /// The top-level members.
    pub top: Top<'a>,
    /// The object `ucp`, which is nearly all of the document and therefore read once; an object without
    /// members if it is absent.
    ucp: Ucp<'a>,
}

impl<'a> UcpProfile<'a> {
    pub(crate) fn attach(bytes: &'a [u8], outline: &Outline) -> Self {
        let top = Top::attach(bytes, outline);
        Self { ucp: Ucp::read(or_absent(&top.ucp)), top }
    }

    fn handlers(&self) -> Option<Registry<'a>> {
        let old =
            self.top.payment.and_then(|Also(Object(payment))| Payment::read(payment).handlers);
        self.ucp.payment_handlers.or(old)
    }
}

impl<'a> Reading<'a> for UcpProfile<'a> {
    fn head(&self) -> Head<'a> {
        Head { spec_version: self.ucp.version, ..Head::default() }
    }

    fn service(&self) -> Option<Service<'a>> {
        let business = Business::read(or_absent(&self.top.business));
        (business.seen != Seen::NOTHING).then(|| Service {
            name: business.name,
            url: business.url,
            description: business.description,
            metadata: kept::<Business<'_>>(&business.object, &business.seen),
            source: business.object.raw(),
            ..Service::default()
        })
    }

    fn endpoints(&self) -> List<'a, Endpoint<'a>> {
        Registry::list(self.ucp.services, next_endpoint)
    }

    fn capabilities(&self) -> List<'a, Capability<'a>> {
        Registry::list(self.ucp.capabilities, |cursor| {
            let (name, feature) = next_feature(cursor, false)?;
            Some(Capability {
                id: name,
                // The model has a member for the settings of extensions only.
                metadata: kept_and::<Feature<'_>>(
                    &feature.object,
                    &feature.seen,
                    Some(Feature::config),
                ),
                source: feature.object.raw(),
                ..Capability::default()
            })
        })
    }

    fn extensions(&self) -> List<'a, Extension<'a>> {
        Registry::list(self.ucp.capabilities, |cursor| {
            let (name, feature) = next_feature(cursor, true)?;
            Some(Extension {
                uri: name,
                params: raw(&feature.config),
                metadata: kept::<Feature<'_>>(&feature.object, &feature.seen),
                ..Extension::default()
            })
        })
    }

    fn keys(&self) -> List<'a, model::Key<'a>> {
        Objects::list(self.top.keys, |cursor| cursor.next_view().map(|key| key_of(&key)))
    }

    fn pricing(&self) -> Option<Pricing<'a>> {
        let plans = Registry::list(self.handlers(), |cursor| {
            let (name, entry) = next_entry(cursor)?;
            let handler = Handler::read(entry);
            Some(Plan {
                name: name.or(handler.name),
                metadata: kept::<Handler<'_>>(&handler.object, &handler.seen),
                ..Plan::default()
            })
        });
        plans.into_iter().next().map(|_| Pricing { plans, ..Pricing::default() })
    }

    /// The members of the top level that stay, then those of `ucp`.
    fn metadata(&self) -> Metadata<'a> {
        if self.top.seen.is_contested() {
            return document_metadata_beside::<Top<'_>, UcpMembers>(self.top.object);
        }
        document_metadata_and(self.top.object, self.top.ucp, |cursor| {
            cursor.next_of_two(|cursor, is_ucp| {
                loop {
                    let member = next_member(cursor.bytes, &mut cursor.position)?;
                    if is_ucp && UcpMembers::stays(member)
                        || !is_ucp && stays(member, Lookup::of::<Top<'_>>())
                    {
                        return Some(Member { name: member.name, value: Raw::Json(member.value) });
                    }
                }
            })
        })
    }
}

/// The object `ucp`.
enum UcpMembers {}

impl reading::Own for UcpMembers {
    const NAME: &'static str = "ucp";

    fn stays(member: json::Member<'_>) -> bool {
        stays(member, Lookup::of::<Ucp<'_>>())
    }
}

/// Returns the next capability, or the next extension.
fn next_feature<'a>(
    cursor: &mut Cursor<'a>,
    is_extension: bool,
) -> Option<(Option<Text<'a>>, Feature<'a>)> {
    loop {
        let (name, entry) = next_entry(cursor)?;
        let feature = Feature::read(entry);
        if feature.seen.has(Feature::extends) == is_extension {
            return Some((name.or(feature.name), feature));
        }
    }
}

/// Returns the next endpoint: a binding, or a transport of a service of 2026-01-11.
fn next_endpoint<'a>(cursor: &mut Cursor<'a>) -> Option<Endpoint<'a>> {
    loop {
        let (before, place) = (*cursor, cursor.state::<Place>());
        let (name, entry) = next_entry(cursor)?;
        let binding = Binding::read(entry);
        let old: [(&'static str, _); 4] = [
            ("rest", binding.rest),
            ("mcp", binding.mcp),
            ("a2a", binding.a2a),
            ("embedded", binding.embedded),
        ];
        let mut there = old.iter().filter_map(|(transport, object)| Some((*transport, (*object)?)));
        let endpoint = |protocol, url, extra| Endpoint {
            name,
            protocol,
            url,
            version: binding.version,
            transport: None,
            auth: None,
            parameters: List::empty(),
            extra,
        };
        if there.clone().next().is_none() {
            let protocol = binding.transport.map_or(Choice::unreadable(), Choice::read);
            let extra = kept::<Binding<'_>>(&binding.object, &binding.seen);
            return Some(endpoint(protocol, binding.endpoint, extra));
        }
        if let Some((transport, Object(object))) = there.nth(place.transport as usize) {
            *cursor = before;
            cursor.set(Place { transport: place.transport.saturating_add(1), ..place });
            let inner = Binding::read(object);
            let protocol = Choice::<Protocol>::read(Text::plain(transport.as_bytes()));
            let extra = kept::<Binding<'_>>(&inner.object, &inner.seen);
            return Some(endpoint(protocol, inner.endpoint, extra));
        }
    }
}
