//! The response of a registry around a manifest, `{"data": {"manifest": {…}}}`. The other members
//! of the response are metadata of the manifest.

use super::Top;
use crate::model::list::Cursor;
use crate::model::{Member, Metadata, Raw};
use crate::rules::json::reading::{document_metadata_and, next_of_document_of};
use crate::scan;
use crate::span::Span;
use crate::syntax::json::lookup::Lookup;
use crate::syntax::json::{Kind, Value, comma_end, next_member};
use crate::syntax::text::trim;

/// Returns the registry response that contains the manifest. `None` if the manifest is the whole
/// document.
pub(super) fn around<'a>(manifest: Value<'a>, bytes: &'a [u8]) -> Option<Value<'a>> {
    let start = scan::memchr(b'{', bytes)?;
    let is_whole = Span::of(manifest.raw(), bytes).start as usize == start;
    (!is_whole).then(|| Value::trusted(trim(bytes.get(start..).unwrap_or_default())))
}

// The states of a list behind the metadata of the manifest, whose own states are offsets in the
// document and a mark of its second part.
const IN_ENVELOPE: u32 = u32::MAX - 1;
const IN_DATA: u32 = u32::MAX - 2;

/// Returns the metadata of a manifest, then the other members of the envelope in their order.
pub(super) fn metadata<'a>(envelope: Value<'a>, manifest: &Top<'a>) -> Metadata<'a> {
    let start = Span::of(manifest.object.raw(), envelope.inside(b'{')).start;
    document_metadata_and(envelope, manifest.metadata, next).from(start.saturating_add(1))
}

fn next<'a>(cursor: &mut Cursor<'a>) -> Option<Member<'a>> {
    if !matches!(cursor.state(), IN_ENVELOPE | IN_DATA) {
        let member = next_of_document_of(cursor, Lookup::of::<Top<'_>>(), |_| false);
        if member.is_some() {
            return member;
        }
        cursor.set(IN_ENVELOPE);
        cursor.position = 0;
    }
    loop {
        let is_in_data = cursor.state::<u32>() == IN_DATA;
        let Some(member) = next_member(cursor.bytes, &mut cursor.position) else {
            if !is_in_data {
                return None;
            }
            // The position is behind the closing brace, because the object is not empty.
            cursor.position = comma_end(cursor.bytes, cursor.position as usize) as u32;
            cursor.set(IN_ENVELOPE);
            continue;
        };
        let is_way = member.name == if is_in_data { "manifest" } else { "data" };
        if !is_way || member.value.kind() != Kind::Object {
            return Some(Member { name: member.name, value: Raw::Json(member.value) });
        }
        if !is_in_data {
            cursor.go_inside(member.value.raw());
            cursor.set(IN_DATA);
        }
    }
}
