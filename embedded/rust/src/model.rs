//! Adds every value of a document to the digest: the name and the value of each member that is present.

use core::convert::Infallible;

use agentsdisc_core::Manifest;
use agentsdisc_core::manifest::{
    Choice, Enumeration, List, Member, MemberVisitor, Metadata, Name, Object, Raw,
};
use agentsdisc_core::syntax::text::Text;

use crate::calls;
use crate::digest::Digest;

/// Adds the whole model, in the order of its JSON form, without the format.
///
/// `Manifest` is an `Object`, too, but its `members` would be inlined into this program, so that it would be impossible to distinguish how much of the
/// flash the library takes. So the program asks for each member of a document by a function of [`calls`].
pub(crate) fn add(digest: &mut Digest, manifest: &Manifest<'_>) {
    let head = calls::head(manifest);
    digest.some("spec_version", head.spec_version, Digest::value);
    digest.choice_of("kind", head.kind);
    digest.some("generated_at", head.generated_at, Digest::value);
    digest.list("operates_on", calls::operates_on(manifest), Digest::value);
    digest.some("companion", head.companion, Digest::value);
    digest.some("provenance", calls::provenance(manifest), object);
    digest.unless_empty("service", &calls::service(manifest).unwrap_or_default());
    digest.some("auth", calls::auth(manifest), object);
    digest.list("endpoints", calls::endpoints(manifest), object);
    digest.list("capabilities", calls::capabilities(manifest), object);
    digest.unless_empty("access", &calls::access(manifest));
    digest.list("agents", calls::agents(manifest), object);
    digest.unless_empty("permissions", &calls::permissions(manifest));
    digest.list("flows", calls::flows(manifest), object);
    digest.list("dependencies", calls::dependencies(manifest), object);
    digest.list("entities", calls::entities(manifest), object);
    digest.list("errors", calls::errors(manifest), object);
    digest.list("hints", calls::hints(manifest), Digest::member);
    digest.some("status", calls::status(manifest), object);
    digest.list("features", calls::features(manifest), Digest::member);
    digest.some("pricing", calls::pricing(manifest), object);
    digest.some("session", calls::session(manifest), object);
    digest.some("audit", calls::audit(manifest), object);
    digest.list("rate_limits", calls::rate_limits(manifest), object);
    digest.some("cache_seconds", calls::cache_seconds(manifest), number);
    digest.unless_empty("robots", &calls::robots(manifest));
    digest.unless_empty("search", &calls::search(manifest));
    digest.some(
        "request_example",
        calls::request_example(manifest),
        Digest::raw_of,
    );
    digest.some(
        "response_example",
        calls::response_example(manifest),
        Digest::raw_of,
    );
    digest.list("metadata", calls::metadata(manifest), Digest::member);
}

fn object<'a, T: Object<'a>>(digest: &mut Digest, object: T) {
    let Ok(()) = object.members(digest);
    digest.end_of_list();
}

fn number(digest: &mut Digest, number: u32) {
    digest.number(Some(number));
}

impl Digest {
    fn some<T>(&mut self, name: &str, value: Option<T>, add: impl FnOnce(&mut Self, T)) {
        if let Some(value) = value {
            self.bytes(name.as_bytes());
            add(self, value);
        }
    }

    /// Adds an object, unless it has no members.
    fn unless_empty<'a>(&mut self, name: &str, value: &impl Object<'a>) {
        let before = *self;
        self.bytes(name.as_bytes());
        let begun = self.sum();
        let Ok(()) = value.members(self);
        if self.sum() == begun {
            *self = before;
        } else {
            self.end_of_list();
        }
    }

    /// Adds a list, unless it is empty.
    fn list<T>(
        &mut self,
        name: &str,
        mut list: impl Iterator<Item = T>,
        mut add: impl FnMut(&mut Self, T),
    ) {
        let mut item = calls::next(&mut list);
        if item.is_none() {
            return;
        }
        self.bytes(name.as_bytes());
        while let Some(value) = item {
            add(self, value);
            item = calls::next(&mut list);
        }
        self.end_of_list();
    }

    fn value(&mut self, text: Text<'_>) {
        self.text(Some(text));
    }

    fn raw_of(&mut self, raw: Raw<'_>) {
        match raw {
            Raw::Text(text) => self.value(text),
            Raw::Json(value) => match calls::value_text(value) {
                Some(text) => self.value(text),
                None => self.bytes(value.raw()),
            },
        }
    }

    fn member(&mut self, member: Member<'_>) {
        self.value(member.name);
        self.raw_of(member.value);
    }

    fn choice_of<E: Enumeration>(&mut self, name: &str, choice: Choice<'_, E>) {
        self.bytes(name.as_bytes());
        self.bytes(calls::name_of(&choice).as_bytes());
        self.text(choice.text);
    }
}

type Done = Result<(), Infallible>;

impl<'a> MemberVisitor<'a> for Digest {
    type Error = Infallible;

    fn word(&mut self, name: &'static Name, word: &'static str) -> Done {
        self.some(name.as_str(), Some(word.as_bytes()), Self::bytes);
        Ok(())
    }

    fn text(&mut self, name: &'static Name, text: Text<'a>) -> Done {
        self.some(name.as_str(), Some(text), Self::value);
        Ok(())
    }

    fn texts(&mut self, name: &'static Name, list: List<'a, Text<'a>>) -> Done {
        self.list(name.as_str(), list, Self::value);
        Ok(())
    }

    fn granted(&mut self, name: &'static Name, list: List<'a, Text<'a>>) -> Done {
        // The name alone shows that there is a list.
        self.bytes(name.as_str().as_bytes());
        self.texts(name, list)
    }

    fn choice<E: Enumeration>(&mut self, name: &'static Name, choice: Choice<'a, E>) -> Done {
        self.choice_of(name.as_str(), choice);
        Ok(())
    }

    fn truth(&mut self, name: &'static Name, value: bool) -> Done {
        self.some(name.as_str(), Some(&[u8::from(value)][..]), Self::bytes);
        Ok(())
    }

    fn number(&mut self, name: &'static Name, value: u32) -> Done {
        self.some(name.as_str(), Some(value), number);
        Ok(())
    }

    fn raw(&mut self, name: &'static Name, value: Raw<'a>) -> Done {
        self.some(name.as_str(), Some(value), Self::raw_of);
        Ok(())
    }

    fn raws(&mut self, name: &'static Name, list: List<'a, Raw<'a>>) -> Done {
        self.list(name.as_str(), list, Self::raw_of);
        Ok(())
    }

    fn metadata(&mut self, name: &'static Name, members: Metadata<'a>) -> Done {
        self.list(name.as_str(), members, Self::member);
        Ok(())
    }

    fn object<T: Object<'a>>(&mut self, name: &'static Name, value: &T) -> Done {
        self.some(name.as_str(), Some(*value), object);
        Ok(())
    }

    fn objects<T: Object<'a>>(
        &mut self,
        name: &'static Name,
        list: impl Iterator<Item = T> + Clone,
    ) -> Done {
        self.list(name.as_str(), list, object);
        Ok(())
    }
}
