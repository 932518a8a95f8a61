//! The unified model of one document.

use super::Document;
use crate::format::Format;
use crate::kind::registry;
use crate::model::{
    self, Head, Hints, List, MemberValue, MemberVisitor, Metadata, Name, Object, Raw, Reading,
    RobotsField, RobotsGroup, RobotsPreference, SearchResult, Visitor,
};
use crate::syntax::outline::Outline;
use crate::syntax::text::Text;

/// A document in the unified model: the same methods for every format.
///
/// `Manifest` is `Copy`. It holds the typed view of the document, so keep it for several accesses
/// instead of creating it again. Each accessor reads from the document, in at most one pass. Lists
/// are iterators that can be copied and walked again.
#[derive(Clone, Copy, Debug)]
pub struct Manifest<'a> {
    document: Document<'a>,
    view: View<'a>,
}

/// The typed views of the formats that are built in, selected by Cargo features.
macro_rules! views {
    (
        []
        $($(#[$doc:meta])* $name:ident = $number:literal $id:literal $medium:ident
            $(: $feature:literal of $family:literal, $($module:ident)::+ as $view:ident)?;)*
    ) => {
        /// The typed view of a document's format.
        // One variant is larger than the others, and without a heap it cannot be boxed.
        #[allow(clippy::large_enum_variant)]
        #[derive(Clone, Copy, Debug)]
        enum View<'a> {
            $($(#[cfg(feature = $feature)] $name(crate::format::$($module::)+$name<'a>),)?)*
            Empty(Empty<'a>),
        }

        impl<'a> View<'a> {
            #[inline(never)] // Keeps its buffers off the stack of its callers.
            fn of(document: &Document<'a>) -> Self {
                let (bytes, outline) = (document.bytes(), document.outline());
                match outline.format() {
                    $($(
                        #[cfg(feature = $feature)]
                        Format::$name => {
                            Self::$name(crate::format::$($module::)+$name::attach(bytes, outline))
                        }
                    )?)*
                    _ => Self::Empty(Empty::attach(bytes, outline)),
                }
            }

            fn reading(&self) -> &dyn Reading<'a> {
                match self {
                    $($(#[cfg(feature = $feature)] Self::$name(view) => view,)?)*
                    Self::Empty(view) => view,
                }
            }
        }
    };
}

registry!(views);

/// Calls a closure with the typed view, which is created once.
#[inline(never)] // Keeps its buffers off the stack of its callers.
pub(crate) fn with_reading<'a, T>(
    document: &Document<'a>,
    ask: impl FnOnce(&dyn Reading<'a>) -> T,
) -> T {
    ask(View::of(document).reading())
}

/// A document without content.
#[derive(Clone, Copy, Debug)]
struct Empty<'a>(core::marker::PhantomData<&'a [u8]>);

impl<'a> Empty<'a> {
    fn attach(_: &'a [u8], _: &Outline) -> Self {
        Self(core::marker::PhantomData)
    }
}

impl<'a> Reading<'a> for Empty<'a> {}

impl<'a> Manifest<'a> {
    pub(crate) fn new(document: Document<'a>) -> Self {
        Self { view: View::of(&document), document }
    }

    /// The document.
    pub const fn document(&self) -> &Document<'a> {
        &self.document
    }

    /// The format of the document.
    pub const fn format(&self) -> Format {
        self.document.format()
    }

    /// The head of the document: members that occur once, as plain text.
    pub fn head(&self) -> Head<'a> {
        self.view.reading().head()
    }

    /// The groups of a robots.txt.
    pub fn robots(&self) -> List<'a, RobotsGroup<'a>> {
        self.robots_txt().unwrap_or_default().groups
    }

    /// The sitemaps of a robots.txt.
    pub fn sitemaps(&self) -> List<'a, Text<'a>> {
        self.robots_txt().unwrap_or_default().sitemaps
    }

    /// The AI preferences of a robots.txt.
    pub fn preferences(&self) -> List<'a, RobotsPreference<'a>> {
        self.robots_txt().unwrap_or_default().preferences
    }

    /// The AI catalogs of a robots.txt, as written.
    pub fn agentmaps(&self) -> List<'a, Text<'a>> {
        self.robots_txt().unwrap_or_default().agentmaps
    }

    /// The licences of a robots.txt, as written.
    pub fn licenses(&self) -> List<'a, Text<'a>> {
        self.robots_txt().unwrap_or_default().licenses
    }

    /// The fields of a robots.txt that have no meaning here.
    pub fn robots_fields(&self) -> List<'a, RobotsField<'a>> {
        self.robots_txt().unwrap_or_default().fields
    }

    /// The query of a search.
    pub fn search_query(&self) -> Option<Text<'a>> {
        self.search()?.query
    }

    /// The results of a search.
    pub fn search_results(&self) -> List<'a, SearchResult<'a>> {
        self.search().unwrap_or_default().results
    }

    /// Calls a visitor with each item, by walking the lists.
    /// [`Document::read`](crate::Document::read) reports the same items in one pass.
    pub fn visit(&self, visitor: &mut impl Visitor<'a>) {
        for capability in self.capabilities() {
            capability.parameters.for_each(|parameter| visitor.parameter(&parameter));
            visitor.capability(&capability);
        }
        self.agents().for_each(|policy| visitor.agent(&policy));
    }
}

/// Visits a member: a field of the head, or the result of a method.
macro_rules! visit {
    ($manifest:ident $head:ident $visitor:ident $name:expr, $field:ident in head) => {
        $head.$field.visit($name, $visitor)?
    };
    ($manifest:ident $head:ident $visitor:ident $name:expr, $field:ident $(unless $empty:ident)?) => {{
        // On firmware, keeps the value off the stack of the other ones. Calls cost instructions.
        #[cfg_attr(target_pointer_width = "32", inline(never))]
        #[cfg_attr(not(target_pointer_width = "32"), inline)]
        fn visit<'a, V: MemberVisitor<'a>>(
            manifest: &Manifest<'a>,
            visitor: &mut V,
        ) -> Result<(), V::Error> {
            let value = manifest.$field();
            $(let value = value.filter(|object| !object.$empty());)?
            value.visit($name, visitor)
        }
        visit($manifest, $visitor)?;
    }};
}

macro_rules! members {
    ($(
        #[doc = $doc:literal]
        $field:ident $(as $name:literal)? $(or $text:ident)? $(unless $empty:ident)?
        $(in $head:ident: $part:ty)? $(: $type:ty)?,
    )*) => {
        impl<'a> Manifest<'a> {
            $($(
                #[doc = $doc]
                pub fn $field(&self) -> $type {
                    self.view.reading().$field()
                }
            )?)*
        }

        /// The whole model of a document.
        impl<'a> Object<'a> for Manifest<'a> {
            fn members<V: MemberVisitor<'a>>(&self, visitor: &mut V) -> Result<(), V::Error> {
                let head = self.head();
                visitor.word($crate::name!("format"), self.format().id())?;
                $(visit!(
                    self head visitor crate::name!($field $($name)?),
                    $field $(in $head)? $(unless $empty)?
                );)*
                Ok(())
            }
        }
    };
}

crate::document! { members 'a }
