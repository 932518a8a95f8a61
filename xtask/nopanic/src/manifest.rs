//! The unified model: every accessor, every item of every list in it, every list of every item.

use core::convert::Infallible;

use agentsdisc_core::manifest as model;
use agentsdisc_core::manifest::{
    Choice, Enumeration, Hints, List, Mark, MemberVisitor, Metadata, Name, Object, Raw, Window,
};
use agentsdisc_core::syntax::text::Text;
use agentsdisc_core::{Document, Manifest};

use crate::{keep, walk};

macro_rules! members {
    ($(
        #[doc = $doc:literal]
        $field:ident $(as $name:literal)? $(or $text:ident)? $(unless $empty:ident)?
        $(in $head:ident: $part:ty)? $(: $type:ty)?,
    )*) => {
        fn members(manifest: &Manifest<'static>) {
            $($(
                let member: $type = manifest.$field();
                keep(member);
            )?)*
        }
    };
}

agentsdisc_core::document! { members 'static }

/// # Safety
/// `document` must point to a document, `mark` to a mark.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_manifest(document: *const Document<'static>, mark: *const Mark) {
    // SAFETY: guaranteed by the caller.
    let manifest = unsafe { *document }.manifest();
    keep((manifest.document(), manifest.format(), manifest.head()));
    members(&manifest);
    object(manifest);
    // SAFETY: guaranteed by the caller.
    walk(manifest.capabilities().resume(unsafe { *mark }), object);
    walk(manifest.robots(), keep);
    walk(manifest.sitemaps(), keep);
    walk(manifest.preferences(), keep);
    walk(manifest.agentmaps(), keep);
    walk(manifest.robots_fields(), keep);
    walk(manifest.search_results(), keep);
    keep(manifest.search_query());
}

/// # Safety
/// `text` must point to a text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_manifest_choice(text: *const Text<'static>) {
    // SAFETY: guaranteed by the caller.
    let text = unsafe { *text };
    choice(Choice::<Window>::read(text));
    let (implied, unreadable) = (Choice::implied(Window::of(text)), Choice::<Window>::unreadable());
    keep((implied.value.seconds(), implied == unreadable));
    walk(List::<Text<'_>>::empty(), keep);
}

pub(crate) fn choice<E: Enumeration>(choice: Choice<'_, E>) {
    keep((choice.as_str(), choice.differing_text()));
}

/// Every member of an object.
pub(crate) fn object<'a>(object: impl Object<'a>) {
    keep((object.is_empty(), object.source()));
    let Ok(()) = object.members(&mut Keep);
}

struct Keep;

type Done = Result<(), Infallible>;

impl<'a> MemberVisitor<'a> for Keep {
    type Error = Infallible;

    fn word(&mut self, name: &'static Name, word: &'static str) -> Done {
        keep((name.as_str(), name.index(), word));
        Ok(())
    }

    fn text(&mut self, _: &'static Name, text: Text<'a>) -> Done {
        keep(text);
        Ok(())
    }

    fn texts(&mut self, _: &'static Name, list: List<'a, Text<'a>>) -> Done {
        walk(list, keep);
        Ok(())
    }

    fn granted(&mut self, _: &'static Name, list: List<'a, Text<'a>>) -> Done {
        walk(list, keep);
        Ok(())
    }

    fn choice<E: Enumeration>(&mut self, name: &'static Name, value: Choice<'a, E>) -> Done {
        keep(name.text_name());
        choice(value);
        Ok(())
    }

    fn truth(&mut self, _: &'static Name, value: bool) -> Done {
        keep(value);
        Ok(())
    }

    fn number(&mut self, _: &'static Name, number: u32) -> Done {
        keep(number);
        Ok(())
    }

    fn raw(&mut self, _: &'static Name, value: Raw<'a>) -> Done {
        keep(value);
        Ok(())
    }

    fn raws(&mut self, _: &'static Name, list: List<'a, Raw<'a>>) -> Done {
        walk(list, keep);
        Ok(())
    }

    fn metadata(&mut self, _: &'static Name, members: Metadata<'a>) -> Done {
        walk(members, keep);
        Ok(())
    }

    fn object<T: Object<'a>>(&mut self, _: &'static Name, value: &T) -> Done {
        object(*value);
        Ok(())
    }

    fn objects<T: Object<'a>>(
        &mut self,
        _: &'static Name,
        list: impl Iterator<Item = T> + Clone,
    ) -> Done {
        list.for_each(object);
        Ok(())
    }
}
