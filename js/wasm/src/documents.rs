//! The questions about documents of all formats.

use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use agentsdisc_core::document::{Detection, Links, Slot};
use agentsdisc_core::format::credentials::{key_words, mask};
use agentsdisc_core::span::PositionCursor;
use agentsdisc_core::{
    CheckOptions, Code, ConvertOptions, Document, Format, Span, Synthetic, detect,
};

use crate::input::{Input, Source};
use crate::json::Json;

/// The unified model.
pub(crate) fn model(document: &Document<'_>, json: &mut Json) {
    document.put_json(json);
}

/// What the format implies, and what its documents need.
pub(crate) fn defaults(document: &Document<'_>, json: &mut Json) {
    json.object(|json| {
        json.name("companion_url").or_null(document.companion_url(), Json::said);
        json.name("needs_companion").truth(document.needs_companion());
        json.name("session_seconds").or_null(document.session_seconds(), Json::number);
        json.name("is_audited").or_null(document.is_audited(), Json::truth);
        let mut buffer = [0; 2048];
        let server = document.openapi().and_then(|view| view.base(&mut buffer));
        json.name("server_url").or_null(server, Json::word);
    });
}

/// Something at a place in the document.
struct Found {
    span: Span,
    name: &'static str,
    severity: &'static str,
    message: String,
    /// Specification and section of a diagnostic; path of a loss.
    about: [String; 2],
}

/// The diagnostics of the check, sorted by offset, code and severity.
pub(crate) fn check(document: &Document<'_>, mut input: Input<'_>, json: &mut Json) {
    let options = CheckOptions { origin: input.text(), ..CheckOptions::default() };
    // One number for each byte is always enough, and memory for 16 million too much.
    let mut scratch = vec![0; document.bytes().len().min(1 << 24)];
    let mut found = Vec::new();
    document.check_with(&options, &mut scratch, |diagnostic| {
        found.push(Found {
            span: diagnostic.span,
            name: diagnostic.code.as_str(),
            severity: diagnostic.severity.as_str(),
            message: diagnostic.to_string(),
            about: [diagnostic.spec.as_str().into(), diagnostic.section.into()],
        });
    });
    found.sort_by(|a, b| {
        (a.span.start, a.name, a.severity).cmp(&(b.span.start, b.name, b.severity))
    });
    put_found(document, &found, ["code", "spec", "section"], json);
}

/// Writes what was found, in order, with lines and columns.
fn put_found(document: &Document<'_>, found: &[Found], names: [&str; 3], json: &mut Json) {
    let [name, first, second] = names;
    let mut cursor = PositionCursor::new(document.bytes());
    json.list(|json| {
        for each in found {
            json.object(|json| {
                json.name(name).word(each.name);
                json.name("severity").word(each.severity);
                place(&mut cursor, each.span, json);
                json.name("message").word(&each.message);
                for (name, text) in [first, second].iter().zip(&each.about) {
                    if !name.is_empty() {
                        json.name(name).word(text);
                    }
                }
            });
        }
    });
}

/// Writes the members with the position of a span.
fn place(cursor: &mut PositionCursor<'_>, span: Span, json: &mut Json) {
    let position = cursor.at(span.start as usize);
    json.name("line").number(position.line);
    json.name("column").number(position.column);
    json.name("offset").number(span.start);
    json.name("end").number(span.end);
}

/// Begins an answer of two parts: the length of the second, which the caller writes first, stands at
/// its end.
pub(crate) fn joined(json: &mut Json, bytes: &[u8]) {
    let length = json.bytes.len() as u32;
    json.bytes.extend_from_slice(bytes);
    json.bytes.extend_from_slice(&length.to_le_bytes());
}

/// Writes an error of a conversion.
fn refusal(message: String, losses: &[u8], json: &mut Json) {
    json.bytes.clear();
    json.object(|json| {
        json.name("message").word(&message);
        json.name("losses");
        json.bytes.extend_from_slice(if losses.is_empty() { b"[]" } else { losses });
    });
}

/// The document in another format: the losses, the bytes, and the length of the losses.
pub(crate) fn convert(document: &Document<'_>, mut input: Input<'_>, json: &mut Json) -> bool {
    let target = input.text().unwrap_or_default();
    let (origin, pretty, loosen) = (input.text(), input.truth(), input.truth());
    let made = input.text().zip(input.text());
    let synthetic =
        made.map(|(generated_by, last_verified)| Synthetic { generated_by, last_verified });
    let capability = input.text();
    let options = ConvertOptions { origin, pretty, loosen, synthetic, capability };
    if target == "json" {
        let mut made = Json::default();
        document.put_json(&mut made);
        json.list(|_| {});
        joined(json, &made.bytes);
        return true;
    }
    let format = match document.format().target(target) {
        Ok(format) => format,
        Err(problem) => {
            refusal(problem.to_string(), b"", json);
            return false;
        }
    };
    let (mut made, mut losses) = (Json::default(), Vec::new());
    let result = document.convert(format, &options, &mut made, |loss| {
        losses.push(Found {
            span: loss.span,
            name: loss.reason.as_str(),
            severity: loss.severity.as_str(),
            message: loss.to_string(),
            about: [loss.path.to_string(), String::new()],
        });
    });
    losses.sort_by_key(|loss| (loss.span.start, loss.span.end));
    put_found(document, &losses, ["reason", "path", ""], json);
    match result {
        Ok(_) => {
            joined(json, &made.bytes);
            true
        }
        Err(problem) => {
            let written = core::mem::take(&mut json.bytes);
            let mut said = problem.to_string();
            let mut cursor = PositionCursor::new(document.bytes());
            let refused = losses.iter().filter(|loss| loss.severity == "error");
            for (number, loss) in refused.take(3).enumerate() {
                let line = cursor.at(loss.span.start as usize).line;
                said += if number == 0 { ": line " } else { "; line " };
                said += &line.to_string();
                said += ": ";
                said += &loss.message;
            }
            refusal(said, &written, json);
            false
        }
    }
}

/// The document with automatic fixes, as `convert` writes it.
pub(crate) fn fix(document: &Document<'_>, json: &mut Json) -> bool {
    let (mut made, mut changes) = (Json::default(), Vec::new());
    let result = document.fix(&mut made, |change| changes.push(change));
    if let Err(problem) = result {
        let said = problem.to_string() + "; this is " + document.format().id();
        refusal(said, b"", json);
        return false;
    }
    let mut cursor = PositionCursor::new(document.bytes());
    json.list(|json| {
        for change in changes {
            json.object(|json| {
                json.name("fix").word(change.fix.as_str());
                let line = cursor.at(change.span.start as usize).line;
                json.name("line").number(line);
                json.name("message").word(change.fix.about());
            });
        }
    });
    joined(json, &made.bytes);
    true
}

/// The differences between the two documents, and whether everything was compared.
pub(crate) fn differences(first: &Document<'_>, second: &Document<'_>, json: &mut Json) {
    // Enough for lists whose items take eight bytes or more.
    let length = first.bytes().len().max(second.bytes().len());
    let mut slots = vec![Slot::default(); 256.max(length / 4)];
    let mut found = Vec::new();
    let complete = first.differences_with(second, &mut slots, |each| found.push(each));
    let mut places = Vec::new();
    for (document, spans) in [
        (first, found.iter().map(|each| each.first).collect::<Vec<_>>()),
        (second, found.iter().map(|each| each.second).collect()),
    ] {
        let mut order: Vec<_> =
            spans.iter().enumerate().filter_map(|(at, span)| Some((at, (*span)?))).collect();
        order.sort_by_key(|(_, span)| span.start);
        let mut cursor = PositionCursor::new(document.bytes());
        let mut written = vec![Vec::new(); spans.len()];
        for (at, span) in order {
            let mut json = Json::default();
            json.object(|json| place(&mut cursor, span, json));
            if let Some(slot) = written.get_mut(at) {
                *slot = json.bytes;
            }
        }
        places.push(written);
    }
    json.object(|json| {
        json.name("complete").truth(complete);
        json.name("differences").list(|json| {
            for (at, each) in found.iter().enumerate() {
                json.object(|json| {
                    json.name("field").word(each.field);
                    json.name("subject").text(each.subject);
                    json.name("item").text(each.item);
                    for (name, places) in ["first", "second"].iter().zip(&places) {
                        json.name(name);
                        match places.get(at) {
                            Some(place) if !place.is_empty() => json.bytes.extend_from_slice(place),
                            _ => json.null(),
                        }
                    }
                });
            }
        });
    });
}

/// The links in any bytes.
pub(crate) fn links(mut input: Input<'_>, json: &mut Json) {
    let bytes = input.bytes().unwrap_or_default();
    let mut cursor = PositionCursor::new(bytes);
    json.list(|json| {
        for link in Links::new(bytes) {
            json.object(|json| {
                json.name("url").text(link.url);
                json.name("label").text(link.label);
                json.name("kind").word(link.kind.as_str());
                place(&mut cursor, link.span, json);
            });
        }
    });
}

/// The format of any bytes, with the evidence. The arguments are a [`Source`].
pub(crate) fn detected(mut input: Input<'_>, json: &mut Json) {
    let source = Source::read(&mut input);
    let Detection { format, evidence, by_hint, .. } = detect(source.bytes, source.options.hints);
    json.object(|json| {
        json.name("format").word(format.id());
        json.name("signs").list(|json| evidence.signs().for_each(|sign| json.word(sign)));
        json.name("by_hint").truth(by_hint);
        json.name("fields").object(|json| {
            for (format, count) in evidence.counts() {
                json.name(format.id()).number(count);
            }
        });
    });
}

/// What is known about every format, and every diagnostic code with its usual severity.
pub(crate) fn facts(json: &mut Json) {
    let words = |json: &mut Json, words: &[&str]| {
        json.list(|json| words.iter().for_each(|word| json.word(word)));
    };
    json.object(|json| {
        json.name("formats").list(|json| {
            for format in Format::ALL {
                let facts = format.facts();
                json.object(|json| {
                    json.name("name").word(format.id());
                    json.name("number").number(*format as u32);
                    json.name("title").word(facts.title);
                    json.name("is_read").truth(format.is_read());
                    json.name("is_json").truth(format.is_json());
                    json.name("is_target").truth(facts.is_target);
                    json.name("is_manifest").truth(facts.is_manifest);
                    words(json.name("locations"), facts.locations);
                    words(json.name("media_types"), facts.media_types);
                    words(json.name("relations"), facts.relations);
                    json.name("lifetime").number(facts.lifetime);
                    json.name("serving").or_null(facts.published.serving, |json, serving| {
                        json.object(|json| {
                            words(json.name("types"), serving.types);
                            json.name("charset").truth(serving.needs_charset);
                            words(json.name("methods"), serving.methods);
                        });
                    });
                });
            }
        });
        json.name("codes").object(|json| {
            for code in Code::ALL {
                json.name(code.as_str()).word(code.severity().as_str());
            }
        });
    });
}

/// A text with each credential replaced by its first characters.
pub(crate) fn masked(mut input: Input<'_>, json: &mut Json) {
    mask(input.text().unwrap_or_default(), |piece| json.put(piece));
}

/// The name under which the requests of an agent are counted for its rate limits.
pub(crate) fn agent_name(mut input: Input<'_>, json: &mut Json) {
    json.word(agentsdisc_core::policy::agent_name(input.text().unwrap_or_default()));
}

/// The ranges of the words of private keys in any bytes.
pub(crate) fn keys(mut input: Input<'_>, json: &mut Json) {
    json.list(|json| {
        key_words(input.bytes().unwrap_or_default(), |range| {
            json.number(range.start as u64);
            json.number(range.end as u64);
        });
    });
}

/// Whether a text is a URL, as the options `origin` need it.
pub(crate) fn is_url(mut input: Input<'_>) -> bool {
    agentsdisc_core::syntax::url::Url::parse(input.bytes().unwrap_or_default()).is_some()
}
