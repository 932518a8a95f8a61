//! The API catalog (RFC 9727), a link set in JSON (RFC 9264). The tables below define the format.
//!
//! A link set is a list of contexts. The members of a context are its anchor and its relations. A
//! relation is a list of targets. The model shows one reference for each target with a URL, in the
//! order of the document. The list of references keeps the anchor and the relation of the next
//! target in its cursor, so it reads each byte a fixed number of times, even if the anchor is the
//! last member.

mod about;
pub(crate) mod check;

use crate::model::list::{Cursor, states};
use crate::model::{List, Metadata, Reading, Reference};
use crate::rules::json::reading::kept;
use crate::scan;
use crate::span::Span;
use crate::syntax::json::view::{Read, Shape, view};
use crate::syntax::json::{Kind, Value, comma_end, next_element, next_name};
use crate::syntax::markdown::Containers;
use crate::syntax::outline::Outline;
use crate::syntax::text::Text;

view! {
    /// The document, RFC 9264 section 4.2.
    pub struct Top at "4.2" welcomes Others then catalog {
        /// `linkset`, required.
        linkset: Linkset<'a> = b"linkset" [At("4.2.1", &Need)],
    }

    /// A link context. Also read: a single link, whose relation and target are members of the
    /// context.
    pub struct Context at "4.2.2" welcomes Anything then own_members {
        /// `anchor`: the URI of the context.
        anchor: Text<'a> = b"anchor" [Want(NO_ANCHOR), PUBLIC],
        /// `rel`, which is not in the specification.
        rel: Text<'a> = b"rel",
        /// `href`, which is not in the specification.
        href: Text<'a> = b"href" [PUBLIC],
        /// `type`, which is not in the specification.
        kind: Text<'a> = b"type" [If(is_single, &MEDIA_TYPE)],
        /// `title`, which is not in the specification.
        title: Text<'a> = b"title",
    }

    /// A link target.
    pub struct Target at "4.2.3" welcomes Others then attributes {
        /// `href`, required.
        href: Text<'a> = b"href" [Need, PUBLIC],
        /// `type`: a media type.
        kind: Text<'a> = b"type" [MEDIA_TYPE],
        /// `title`.
        title: Text<'a> = b"title",
    }
}

/// The maximum length of an anchor or a relation, in bytes. A longer one is not read, because the
/// model repeats it for each target, so a small document would become very large.
pub(crate) const LONGEST: usize = 256;

/// A link set. If it contains anything that is not a link, it is kept as metadata as well.
#[derive(Clone, Copy, Debug)]
pub struct Linkset<'a>(pub Value<'a>);

impl<'a> Read<'a> for Linkset<'a> {
    const SHAPE: Shape = Shape::Array;

    const KEPT: bool = true;

    fn read(value: Value<'a>) -> Option<Self> {
        (value.kind() == Kind::Array).then_some(Self(value))
    }

    fn keeps(value: Value<'a>) -> bool {
        value.elements().any(|context| !is_read(context))
    }
}

/// Whether the references of the model show everything that a context contains.
fn is_read(context: Value<'_>) -> bool {
    match context.kind() {
        Kind::Object => {
            context.members().all(|member| {
                let fits = short(Some(member.name)).is_some();
                match member.value.kind() {
                    Kind::Null => true,
                    Kind::String => {
                        is_anchor(member.name) && short(member.value.as_text()).is_some()
                    }
                    Kind::Array | Kind::Object if is_anchor(member.name) => false,
                    Kind::Array => fits && are_links(member.value),
                    Kind::Object => fits && Target::read(member.value).href.is_some(),
                    Kind::Bool | Kind::Number => false,
                }
            }) || Context::read(context).href.is_some()
        }
        kind => kind == Kind::Null,
    }
}

/// Whether all targets of a relation have a URL.
fn are_links(targets: Value<'_>) -> bool {
    let mut cursor = Cursor::new(targets.inside(b'['));
    core::iter::from_fn(|| cursor.next_element_view())
        .all(|target: Target<'_>| target.href.is_some())
}

/// Whether a member of a context is its anchor, and not a relation.
fn is_anchor(name: Text<'_>) -> bool {
    name == *"anchor"
}

/// Returns an anchor or relation, or `None` if it is too long.
fn short(text: Option<Text<'_>>) -> Option<Text<'_>> {
    text.filter(|text| text.raw().len() <= LONGEST)
}

/// A parsed API catalog (RFC 9727).
#[derive(Clone, Copy, Debug)]
pub struct ApiCatalog<'a> {
    /// The top-level members.
    pub top: Top<'a>,
}

impl<'a> ApiCatalog<'a> {
    pub(crate) fn attach(bytes: &'a [u8], outline: &Outline) -> Self {
        Self { top: Top::attach(bytes, outline) }
    }
}

impl<'a> Reading<'a> for ApiCatalog<'a> {
    fn references(&self) -> List<'a, Reference<'a>> {
        self.top.linkset.map_or_else(List::empty, |Linkset(array)| {
            List::new(array.inside(b'['), Level::Contexts, next_link)
        })
    }

    fn metadata(&self) -> Metadata<'a> {
        kept::<Top<'_>>(&self.top.object, &self.top.seen)
    }
}

/// Where the next link is searched for.
#[derive(Clone, Copy)]
enum Level {
    /// Among the contexts.
    Contexts,
    /// Among the members of a context.
    Relations,
    /// Among the targets of a relation.
    Targets,
}

states!(Level: Contexts, Relations, Targets);

/// Returns the next link. The position only moves forward. After the last item of a container, it
/// is behind the closing bracket.
fn next_link<'a>(cursor: &mut Cursor<'a>) -> Option<Reference<'a>> {
    let bytes = cursor.bytes;
    loop {
        let context = LinkContext::of(cursor);
        let leave = |cursor: &mut Cursor<'a>, level: Level| {
            cursor.position = comma_end(bytes, cursor.position as usize) as u32;
            cursor.set(level);
        };
        match cursor.state() {
            Level::Contexts => {
                let context: Context<'_> = cursor.next_view()?;
                if context.href.is_some() {
                    return Some(single_link(&context));
                }
                if !context.object.inside(b'{').trim_ascii().is_empty() {
                    LinkContext::new(context.anchor, bytes).note(cursor);
                    cursor.go_inside(context.object.raw());
                    cursor.set(Level::Relations);
                }
            }
            Level::Relations => match next_name(bytes, &mut cursor.position) {
                None => leave(cursor, Level::Contexts),
                Some(name) => {
                    let byte = cursor.next_byte().filter(|_| !is_anchor(name));
                    let context = context.with_relation(name, bytes);
                    let inside = cursor.position.saturating_add(1);
                    let first = scan::blanks_end(bytes, inside as usize);
                    match byte {
                        Some(b'[') if bytes.get(first) != Some(&b']') => {
                            context.note(cursor);
                            cursor.position = inside;
                            cursor.set(Level::Targets);
                        }
                        Some(b'{') => {
                            let link = context.link(&cursor.take_view(), bytes);
                            if link.is_some() {
                                return link;
                            }
                        }
                        _ => {
                            next_element(bytes, &mut cursor.position)?;
                        }
                    }
                }
            },
            Level::Targets => match cursor.next_element_view() {
                None => leave(cursor, Level::Relations),
                Some(target) => {
                    let link = context.link(&target, bytes);
                    if link.is_some() {
                        return link;
                    }
                }
            },
        }
    }
}

/// The anchor and the relation of the next link, as spans. An absent text is an empty span at
/// offset 0.
#[derive(Clone, Copy)]
struct LinkContext {
    anchor: Span,
    relation: Span,
}

impl LinkContext {
    fn new(anchor: Option<Text<'_>>, bytes: &[u8]) -> Self {
        Self { anchor: Self::span(anchor, bytes), relation: Span::default() }
    }

    fn of(cursor: &Cursor<'_>) -> Self {
        let [anchor, anchor_end, relation, relation_end] = cursor.containers.numbers();
        Self { anchor: Span::new(anchor, anchor_end), relation: Span::new(relation, relation_end) }
    }

    fn note(self, cursor: &mut Cursor<'_>) {
        let Self { anchor, relation } = self;
        cursor.containers =
            Containers::of_numbers([anchor.start, anchor.end, relation.start, relation.end]);
    }

    fn with_relation(self, name: Text<'_>, bytes: &[u8]) -> Self {
        Self { relation: Self::span(Some(name), bytes), ..self }
    }

    fn span(text: Option<Text<'_>>, bytes: &[u8]) -> Span {
        short(text).map_or(Span::default(), |text| Span::of(text.raw(), bytes))
    }

    /// Returns the link to a target; `None` if the target has no URL.
    fn link<'a>(self, target: &Target<'a>, bytes: &'a [u8]) -> Option<Reference<'a>> {
        // A string begins behind its quotation mark, so its offset is never 0.
        let text = |span: Span| (span.start > 0).then(|| Text::json(span.slice(bytes)));
        target.href.is_some().then(|| Reference {
            relation: text(self.relation),
            title: target.title,
            url: target.href,
            media_type: target.kind,
            anchor: text(self.anchor),
            metadata: kept::<Target<'_>>(&target.object, &target.seen),
            source: target.object.raw(),
            ..Reference::default()
        })
    }
}

/// Returns the link that is written as its own context.
fn single_link<'a>(link: &Context<'a>) -> Reference<'a> {
    Reference {
        relation: link.rel,
        title: link.title,
        url: link.href,
        media_type: link.kind,
        anchor: link.anchor,
        metadata: kept::<Context<'_>>(&link.object, &link.seen),
        source: link.object.raw(),
        ..Reference::default()
    }
}
