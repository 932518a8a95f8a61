//! Adds every value of a document to the digest: the name and the value of each member that is present.

use core::convert::Infallible;

use agentsdisc_core::Manifest;
use agentsdisc_core::manifest::{
    Choice, Enumeration, List, Member, MemberValue, MemberVisitor, Metadata, Name, Object, Raw,
};
use agentsdisc_core::syntax::text::Text;

use crate::calls;
use crate::digest::Digest;

/// Returns the value of a member: a field of the head, or the result of a function of [`calls`].
macro_rules! value_of {
    ($manifest:ident $head:ident $field:ident $in_head:ident) => {
        $head.$field
    };
    ($manifest:ident $head:ident $field:ident) => {
        calls::$field($manifest)
    };
}

macro_rules! members {
    ($(
        #[doc = $doc:literal]
        $field:ident $(as $name:literal)? $(or $text:ident)? $(unless $empty:ident)?
        $(in $head:ident: $part:ty)? $(: $type:ty)?,
    )*) => {
        /// Adds the whole model, in the order of its JSON form, without the format.
        ///
        /// `Manifest` is an `Object` as well, but its `members` would be inlined into this program.
        /// Then the flash that the library takes could not be measured separately. So the program
        /// calls a function of [`calls`] for each member of a document.
        pub(crate) fn add(digest: &mut Digest, manifest: &Manifest<'_>) {
            let head = calls::head(manifest);
            $({
                let value = value_of!(manifest head $field $($head)?);
                $(let value = value.filter(|object| !object.$empty());)?
                let Ok(()) = value.visit(agentsdisc_core::name!($field $($name)?), digest);
            })*
        }
    };
}

agentsdisc_core::document! { members 'static }

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
        // The name is enough to show that there is a list.
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
