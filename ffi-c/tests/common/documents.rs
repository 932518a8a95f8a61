//! The documents of the vectors of `policy/` and `call/`, read through the C ABI.

use std::mem::{size_of, zeroed};
use std::ptr::null_mut;

use agentsdisc as agd;
use agentsdisc_core::Format;
use serde_json::Value;

use crate::vectors;

/// Returns the bytes of the documents of a case, each with its format.
pub(crate) fn texts(case: &Value) -> Vec<(Vec<u8>, Option<&str>)> {
    let documents = case["documents"].as_array().unwrap().iter();
    documents.map(|document| (vectors::bytes(document), document["format"].as_str())).collect()
}

/// Reads the documents. They borrow from the texts.
pub(crate) fn read(texts: &[(Vec<u8>, Option<&str>)]) -> Vec<agd::agd_document> {
    let read = |(text, format): &(Vec<u8>, Option<&str>)| {
        let bytes = text.as_ptr().cast();
        // SAFETY: zeroed structs with their size are initialised, and the bytes are valid as long as the texts.
        unsafe {
            let (mut document, mut options): (agd::agd_document, agd::agd_options) =
                (zeroed(), zeroed());
            options.size = size_of::<agd::agd_options>();
            let status = match *format {
                Some("unknown") => agd::agd_unread(bytes, text.len(), &raw mut document),
                id => {
                    options.format = id.map_or(0, |id| Format::from_id(id).unwrap() as i32);
                    agd::agd_parse(
                        bytes,
                        text.len(),
                        &raw const options,
                        &raw mut document,
                        null_mut(),
                    )
                }
            };
            assert_eq!(status, agd::AGD_OK, "{}", String::from_utf8_lossy(text));
            document
        }
    };
    texts.iter().map(read).collect()
}
