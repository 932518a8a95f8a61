//! The exports. `lib.rs` describes their use.

use alloc::vec;
use alloc::vec::Vec;
use core::cell::UnsafeCell;

use agentsdisc_core::{Document, Error};

use crate::arena::ARENA;
#[cfg(feature = "identity")]
use crate::identity;
use crate::input::{Input, Source};
use crate::json::Json;
#[cfg(feature = "robots")]
use crate::policy::{self, Asked};
#[cfg(feature = "readiness")]
use crate::readiness;
#[cfg(feature = "robots")]
use crate::robots;

/// What stays between two calls.
///
/// INVARIANT: everything that it refers to is in the arena, in front of its top.
struct State {
    /// The documents as the package has written them.
    source: &'static [u8],
    documents: Vec<Document<'static>>,
    /// Where the memory of a question begins.
    mark: usize,
    arguments: &'static [u8],
    answer: &'static [u8],
}

struct Global(UnsafeCell<State>);

// SAFETY: the module has one thread.
unsafe impl Sync for Global {}

static STATE: Global = Global(UnsafeCell::new(State {
    source: &[],
    documents: Vec::new(),
    mark: 0,
    arguments: &[],
    answer: &[],
}));

/// The state. No export calls another one, so that there is never a second reference.
#[allow(clippy::mut_from_ref)]
fn state() -> &'static mut State {
    // SAFETY: see above.
    unsafe { &mut *STATE.0.get() }
}

/// Returns memory for the package to write to.
fn place(length: usize) -> &'static [u8] {
    vec![0; length].leak()
}

/// Frees everything, and returns the place for the documents.
#[unsafe(no_mangle)]
extern "C" fn begin(length: usize) -> *const u8 {
    let state = state();
    core::mem::forget(core::mem::take(&mut state.documents));
    (state.arguments, state.answer) = (&[], &[]);
    // SAFETY: the state refers to nothing in the arena any longer.
    unsafe { ARENA.free_from(0) };
    state.source = place(length);
    state.mark = ARENA.top();
    state.source.as_ptr()
}

/// Parses the documents, which have so many bytes. Returns the number of the format of the last one, or the negative length of
/// an error.
#[unsafe(no_mangle)]
extern "C" fn load(length: usize) -> i32 {
    let state = state();
    let mut input = Input(state.source.get(..length).unwrap_or_default());
    let mut format = 0;
    while !input.0.is_empty() {
        let source = Source::read(&mut input);
        match source.parse() {
            Ok(document) => {
                format = document.format() as i32;
                state.documents.push(document);
            }
            Err(error) => return -answer(|json| put_error(&source, error, json)),
        }
    }
    state.mark = ARENA.top();
    format
}

fn put_error(source: &Source<'_>, error: Error, json: &mut Json) {
    let position = error.position(source.bytes);
    json.object(|json| {
        json.name("kind").word(error.kind.as_str());
        json.name("offset").number(error.offset as u64);
        json.name("line").number(position.line);
        json.name("column").number(position.column);
        json.name("format").word(error.kind.format().id());
        // Reading a robots.txt does not fail.
        #[cfg(feature = "full")]
        json.name("message").said(error.explain(source.bytes));
    });
}

/// Frees what the last question left, and returns the place for arguments.
#[unsafe(no_mangle)]
extern "C" fn ask(length: usize) -> *const u8 {
    let state = state();
    state.answer = &[];
    // SAFETY: only arguments and answers are behind the mark.
    unsafe { ARENA.free_from(state.mark) };
    state.arguments = place(length);
    state.arguments.as_ptr()
}

/// Where the answer is.
#[unsafe(no_mangle)]
extern "C" fn answer_at() -> *const u8 {
    state().answer.as_ptr()
}

/// Keeps an answer, and returns its length.
fn answer(write: impl FnOnce(&mut Json)) -> i32 {
    let mut json = Json::default();
    write(&mut json);
    let bytes = json.bytes.leak();
    state().answer = bytes;
    bytes.len() as i32
}

#[cfg(feature = "robots")]
fn document() -> Document<'static> {
    let first = state().documents.first();
    first.copied().unwrap_or_else(|| Document::unread(b""))
}

/// Reads a request about the documents.
#[cfg(feature = "robots")]
fn asked(input: &mut Input<'static>) -> Asked<'static> {
    Asked::read(&state().documents, input)
}

/// Makes an export of a function.
macro_rules! exports {
    ($($name:ident = |$input:ident, $json:ident| $call:expr;)*) => {
        $(
            #[unsafe(no_mangle)]
            extern "C" fn $name() -> i32 {
                #[allow(unused_variables, unused_mut)]
                let mut $input = Input(state().arguments);
                answer(|$json| $call)
            }
        )*
    };
}

#[cfg(feature = "robots")]
exports! {
    robots_decide = |input, json| robots::decide(robots::of(&document()), input, json);
    robots_crawl_delay = |input, json| robots::crawl_delay(robots::of(&document()), input, json);
    robots_preference = |input, json| robots::preference(robots::of(&document()), input, json);
    robots_preferences = |input, json| robots::preferences(robots::of(&document()), json);
    decide = |input, json| policy::decided(&asked(&mut input), json);
}

#[cfg(feature = "identity")]
exports! {
    identity_claim = |input, json| identity::claim(input, json);
    identity_key = |input, json| identity::key(input, json);
    identity_card = |input, json| identity::card(input, json);
    identity_kept = |input, json| identity::kept(input, json);
    identity_thumbprints = |input, json| identity::thumbprints(input, json);
    identity_to_sign = |input, json| identity::to_sign(input, json);
    identity_reasons = |input, json| identity::reasons(json);
}

#[cfg(feature = "readiness")]
exports! {
    readiness_survey = |input, json| readiness::survey(input, json);
    readiness_facts = |input, json| readiness::facts(json);
    readiness_sitemaps = |input, json| readiness::sitemaps(input, json);
}

/// An answer, or an error.
#[cfg(any(feature = "full", feature = "readiness"))]
fn result(write: impl FnOnce(&mut Json) -> bool) -> i32 {
    let mut is_done = false;
    let length = answer(|json| is_done = write(json));
    if is_done { length } else { -length }
}

#[cfg(feature = "readiness")]
#[unsafe(no_mangle)]
extern "C" fn readiness_origin() -> i32 {
    result(|json| readiness::origin(Input(state().arguments), json))
}

/// Whether an agent may fetch a URL: 1 or 0.
#[cfg(feature = "robots")]
#[unsafe(no_mangle)]
extern "C" fn robots_allowed() -> i32 {
    i32::from(robots::allowed(robots::of(&document()), Input(state().arguments)))
}

#[cfg(feature = "full")]
mod full {
    use super::*;
    use crate::{call, documents, site};

    exports! {
        model = |input, json| documents::model(&document(), json);
        defaults = |input, json| documents::defaults(&document(), json);
        check = |input, json| documents::check(&document(), input, json);
        links = |input, json| documents::links(input, json);
        detect = |input, json| documents::detected(input, json);
        offers = |input, json| policy::offers(&asked(&mut input), json);
        agent_name = |input, json| documents::agent_name(input, json);
        call_plan = |input, json| call::plan(&asked(&mut input), input, json);
        call_next = |input, json| call::next(&asked(&mut input), input, json);
        facts = |input, json| documents::facts(json);
        masked = |input, json| documents::masked(input, json);
        keys = |input, json| documents::keys(input, json);
        discovery_facts = |input, json| site::facts(json);
        licenses = |input, json| site::all_licenses(&document(), input, json);
        discovery = |input, json| site::step(input, &state().documents, json);
        differences = |input, json| {
            if let [first, second, ..] = state().documents.as_slice() {
                documents::differences(first, second, json);
            }
        };
    }

    #[unsafe(no_mangle)]
    extern "C" fn convert() -> i32 {
        result(|json| documents::convert(&document(), Input(state().arguments), json))
    }

    #[unsafe(no_mangle)]
    extern "C" fn discovery_begin() -> i32 {
        result(|json| site::begin(Input(state().arguments), json))
    }

    #[unsafe(no_mangle)]
    extern "C" fn fix() -> i32 {
        result(|json| documents::fix(&document(), json))
    }

    #[unsafe(no_mangle)]
    extern "C" fn is_url() -> i32 {
        i32::from(documents::is_url(Input(state().arguments)))
    }
}
