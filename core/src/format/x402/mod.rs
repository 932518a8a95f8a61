//! Payment terms of x402: the body of an answer with status 402 (version 1), the decoded header
//! `PAYMENT-REQUIRED` (version 2), and lists of resources that cost something. The tables below
//! define the format.
//!
//! Each requirement is a plan: one way to pay for the resource. In a list of resources each resource
//! is a plan, and its metadata has all of its requirements.

mod about;
pub(crate) mod check;

use crate::model::list::Cursor;
use crate::model::{
    Choice, Head, List, Metadata, Plan, Pricing, PricingType, Reading, Reference, Service,
};
use crate::rules::json::reading::{Objects, all_members, content_start, kept};
use crate::syntax::json::view::{Also, Array, Object, Read, Shape, view};
use crate::syntax::json::{Kind, Number, Value, next_element};
use crate::syntax::outline::Outline;
use crate::syntax::text::Text;

view! {
    /// The document.
    pub struct Top at "5.1.2" welcomes OtherNames {
        /// `x402Version`, required: 1 or 2.
        version: Number<'a> = b"x402Version" [If(is_answer, &Need), ThenValue(version)],
        /// `error`: why payment is required.
        error: Also<Text<'a>> = b"error",
        /// `resource`, required since version 2: what costs something.
        resource: Resource<'a> = b"resource" [If(is_answer_2, &Need), Inside(Info::RULES)],
        /// `accepts`, required: the ways to pay.
        accepts: Objects<'a> = b"accepts" [If(is_answer, &Need), Filled(NO_WAYS), Each(Requirement::RULES)],
        /// `items` of a list; also read: `resources`.
        items: Items<'a> = b"items" | b"resources" [At("8.1", &Among(Item::RULES))],
        /// `name` of the service, which is not in the specification.
        name: Text<'a> = b"name",
        /// `description` of the service, which is not in the specification.
        description: Text<'a> = b"description",
    }

    /// What costs something.
    pub struct Info at "5.1.2" welcomes Others {
        /// `url`, required.
        url: Text<'a> = b"url" [Need, PublicUrl(Secure::Web, Others::Uris)],
        /// `description`.
        description: Text<'a> = b"description",
        /// `mimeType`.
        media_type: Text<'a> = b"mimeType",
    }

    /// A way to pay.
    pub struct Requirement at "5.1.2" welcomes OtherNames {
        /// `scheme`, required: exact.
        scheme: Also<Text<'a>> = b"scheme" [Need],
        /// `network`, required: a chain of CAIP-2; in version 1 its name.
        network: Also<Text<'a>> = b"network" [Need, In(New, &Fits(is_chain, NO_CHAIN))],
        /// `amount`, required: in the smallest unit of the asset; `maxAmountRequired` in version 1.
        amount: Text<'a> = b"amount" | b"maxAmountRequired" [Need, Fits(is_amount, NO_AMOUNT)],
        /// `asset`, required: the address of a token, or a currency.
        asset: Also<Text<'a>> = b"asset" [Need],
        /// `payTo`, required: who receives the payment.
        payee: Also<Text<'a>> = b"payTo" [Need],
        /// `maxTimeoutSeconds`, required.
        timeout: Also<Number<'a>> = b"maxTimeoutSeconds" [Need, ThenValue(seconds)],
        /// `resource` of version 1: the URL of what costs something.
        resource: Text<'a> = b"resource" [In(Old, &If(within::<{ 1 << Top::accepts }>, &Need)), PublicUrl(Secure::Web, Others::Uris)],
        /// `description` of version 1.
        description: Also<Text<'a>> = b"description",
    }

    /// A resource of a list.
    pub struct Item at "8.1" welcomes OtherNames {
        /// `resource`, required: its URL; also read: an object with the URL, and other names.
        resource: Resource<'a> = b"resource" | b"url" | b"endpoint" | b"path" [Need],
        /// `accepts`, required: the ways to pay.
        accepts: Also<Objects<'a>> = b"accepts" [Want(NO_TERMS), Each(Requirement::RULES)],
        /// `description`.
        description: Text<'a> = b"description",
        /// `price`, which is not in the specification.
        price: Also<Text<'a>> = b"price",
    }
}

/// What costs something: an object with its URL, or the URL.
#[derive(Clone, Copy, Debug)]
pub struct Resource<'a>(pub Value<'a>);

impl<'a> Resource<'a> {
    fn info(self) -> Info<'a> {
        let info = Info::read(self.0);
        Info { url: info.url.or(self.0.as_text()), ..info }
    }
}

impl<'a> Read<'a> for Resource<'a> {
    const SHAPE: Shape = Shape::Any;

    fn read(value: Value<'a>) -> Option<Self> {
        matches!(value.kind(), Kind::Object | Kind::String).then_some(Self(value))
    }
}

/// The resources of a list: objects, or their URLs, perhaps behind a method.
#[derive(Clone, Copy, Debug)]
pub struct Items<'a>(pub Array<'a>);

impl<'a> Read<'a> for Items<'a> {
    const SHAPE: Shape = Shape::Array;

    const KEPT: bool = true;

    fn read(value: Value<'a>) -> Option<Self> {
        (value.kind() == Kind::Array).then_some(Self(Array(value)))
    }

    fn keeps(value: Value<'a>) -> bool {
        !value.elements().all(|item| matches!(item.kind(), Kind::Object | Kind::String))
    }
}

/// A parsed document of x402.
#[derive(Clone, Copy, Debug)]
pub struct X402<'a> {
    /// The top-level members.
    pub top: Top<'a>,
}

impl<'a> X402<'a> {
    pub(crate) fn attach(bytes: &'a [u8], outline: &Outline) -> Self {
        Self { top: Top::attach(bytes, outline) }
    }

    /// Returns the offset behind the bracket that opens a list; 0 without a list.
    fn inside(&self, list: Option<Value<'a>>) -> u32 {
        list.map_or(0, |list| content_start(list, self.top.object.raw()))
    }

    fn items(&self) -> u32 {
        self.inside(self.top.items.map(|Items(Array(items))| items))
    }
}

impl<'a> Reading<'a> for X402<'a> {
    fn head(&self) -> Head<'a> {
        let version = self.top.version.map(|version| Text::plain(version.raw()));
        Head { spec_version: version, ..Head::default() }
    }

    fn service(&self) -> Option<Service<'a>> {
        let (name, description) = (self.top.name, self.top.description);
        (name.is_some() || description.is_some()).then(|| Service {
            name,
            description,
            ..Service::default()
        })
    }

    /// The resource of an answer, then the resources of a list.
    fn references(&self) -> List<'a, Reference<'a>> {
        let own = self.top.resource.map(|Resource(own)| own);
        let bytes = self.top.object.raw();
        match (self.inside(own).checked_sub(1), self.items()) {
            (None, 0) => List::empty(),
            (None, items) => List::new(bytes, 0, |cursor| next_reference(cursor, true)).from(items),
            (Some(own), items) => {
                List::new(bytes, items, |cursor| cursor.next_of_two(next_reference)).from(own)
            }
        }
    }

    /// The requirements of an answer, or the resources of a list.
    fn pricing(&self) -> Option<Pricing<'a>> {
        let bytes = self.top.object.raw();
        let accepts = self.inside(self.top.accepts.map(|Objects(accepts)| accepts));
        let plans = match (accepts, self.items()) {
            (0, 0) => return None,
            (0, items) => List::new(bytes, 0, next_item).from(items),
            (accepts, _) => List::new(bytes, 0, next_requirement).from(accepts),
        };
        let kind = Some(Choice::implied(PricingType::Paid));
        plans.into_iter().next().map(|_| Pricing { kind, plans, ..Pricing::default() })
    }

    fn metadata(&self) -> Metadata<'a> {
        kept::<Top<'_>>(&self.top.object, &self.top.seen)
    }
}

/// Returns the next way to pay for the resource of an answer.
fn next_requirement<'a>(cursor: &mut Cursor<'a>) -> Option<Plan<'a>> {
    let requirement: Requirement<'a> = cursor.next_view()?;
    Some(Plan {
        name: requirement.resource,
        price: requirement.amount,
        metadata: kept::<Requirement<'_>>(&requirement.object, &requirement.seen),
        ..Plan::default()
    })
}

/// Returns the next resource of a list with its price, which is that of the first way to pay.
fn next_item<'a>(cursor: &mut Cursor<'a>) -> Option<Plan<'a>> {
    let item: Item<'a> = cursor.next_view()?;
    let mut ways = item.accepts.into_iter().flat_map(|Also(Objects(list))| list.elements());
    let amount = ways.next().and_then(|way| Requirement::read(way).amount);
    Some(Plan {
        name: item.resource.and_then(|resource| resource.info().url),
        price: amount.or(item.price.map(|Also(price)| price)),
        metadata: kept::<Item<'_>>(&item.object, &item.seen),
        ..Plan::default()
    })
}

/// Returns the next resource, `is_listed` if it is one of a list.
fn next_reference<'a>(cursor: &mut Cursor<'a>, is_listed: bool) -> Option<Reference<'a>> {
    loop {
        let value = next_element(cursor.bytes, &mut cursor.position)?;
        if !is_listed {
            // It is not an element of a list.
            cursor.position = cursor.bytes.len() as u32;
        }
        let item = Item::read(value);
        let info = if is_listed { item.resource } else { None }.unwrap_or(Resource(value)).info();
        let Some(url) = info.url else { continue };
        // `GET https://…` is no URL.
        let is_url = !url.chars().any(|c| c == ' ');
        return Some(Reference {
            identifier: Some(url).filter(|_| !is_url),
            url: Some(url).filter(|_| is_url),
            description: item.description.or(info.description),
            media_type: info.media_type,
            metadata: match value.kind() {
                Kind::Object if is_listed => kept::<Item<'_>>(&item.object, &item.seen),
                Kind::Object => kept::<Info<'_>>(&info.object, &info.seen),
                _ => all_members(None::<Object<'a>>),
            },
            source: value.raw(),
            ..Reference::default()
        });
    }
}
