//! The unified model: every accessor, every item of every list in it, every list of every item.

use core::convert::Infallible;

use agentsdisc_core::Document;
use agentsdisc_core::manifest::{
    Choice, Enumeration, List, Mark, MemberVisitor, Metadata, Name, Object, Raw, Window,
};
use agentsdisc_core::syntax::text::Text;

use crate::{keep, walk};

/// # Safety
/// `document` must point to a document.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_manifest_service(document: *const Document<'static>) {
    // SAFETY: guaranteed by the caller.
    let manifest = unsafe { *document }.manifest();
    keep((manifest.document(), manifest.format()));
    let head = manifest.head();
    keep(head);
    choice(head.kind);
    object(manifest);
    walk(manifest.operates_on(), keep);
    keep((manifest.provenance(), manifest.service(), manifest.auth()));
    keep((manifest.status(), manifest.pricing()));
    keep((manifest.session(), manifest.audit()));
    walk(manifest.endpoints(), keep);
}

/// # Safety
/// `document` must point to a document, `mark` to a mark.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_manifest_capabilities(
    document: *const Document<'static>,
    mark: *const Mark,
) {
    // SAFETY: guaranteed by the caller.
    let manifest = unsafe { *document }.manifest();
    walk(manifest.capabilities(), keep);
    // SAFETY: guaranteed by the caller.
    walk(manifest.capabilities().resume(unsafe { *mark }), object);
    keep((manifest.access(), manifest.permissions()));
    walk(manifest.agents(), keep);
    walk(manifest.flows(), keep);
    walk(manifest.dependencies(), keep);
    walk(manifest.entities(), keep);
    walk(manifest.errors(), keep);
    walk(manifest.rate_limits(), keep);
}

/// # Safety
/// `document` must point to a document.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_manifest_rest(document: *const Document<'static>) {
    // SAFETY: guaranteed by the caller.
    let manifest = unsafe { *document }.manifest();
    walk(manifest.hints(), keep);
    walk(manifest.features(), keep);
    walk(manifest.robots(), keep);
    walk(manifest.sitemaps(), keep);
    walk(manifest.preferences(), keep);
    walk(manifest.agentmaps(), keep);
    walk(manifest.robots_fields(), keep);
    walk(manifest.search_results(), keep);
    keep((
        manifest.cache_seconds(),
        manifest.search_query(),
        manifest.request_example(),
        manifest.response_example(),
    ));
    walk(manifest.metadata(), keep);
}

/// # Safety
/// `text` must point to a text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_manifest_choice(text: *const Text<'static>) {
    // SAFETY: guaranteed by the caller.
    let text = unsafe { *text };
    choice(Choice::<Window>::read(text));
    let (implied, unreadable) = (
        Choice::implied(Window::of(text)),
        Choice::<Window>::unreadable(),
    );
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
