//! Calls the C functions in any order and with all detectable misuse: they return, write only where
//! they may, and follow the rules for buffers.
//!
//! The input is a document, a NUL, and the calls: a byte selects a function, more bytes its
//! arguments. Without calls, each function is called once. Undetectable misuse is excluded: lengths
//! are true, memory lives long enough, and state is from the library, or zero.

use std::ffi::{CStr, c_char, c_void};
use std::mem::{MaybeUninit, size_of};
use std::ptr::{null, null_mut};

use agentsdisc::*;

mod calls;
mod checks;
mod discoveries;
mod documents;
mod plans;
mod policies;
mod services;

/// The bytes that determine the calls.
struct Script<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Script<'_> {
    fn byte(&mut self) -> u8 {
        let byte = self.bytes.get(self.at).copied().unwrap_or(0);
        self.at += 1;
        byte
    }

    /// Returns a value for an enumeration, usually near the named ones.
    fn number(&mut self) -> i32 {
        match self.byte() {
            255 => i32::MIN,
            254 => i32::MAX,
            byte => i32::from(byte) - 3,
        }
    }

    /// Returns the size of a buffer, usually small.
    fn size(&mut self) -> usize {
        match self.byte() {
            0 => 4096,
            byte @ 1..128 => usize::from(byte) - 1,
            byte => usize::from(byte - 120) * 256,
        }
    }

    fn is(&mut self) -> bool {
        self.byte() & 1 == 1
    }
}

/// Memory of exactly this size, so that a sanitizer finds writes beyond it.
struct Room {
    memory: Vec<u8>,
    is_null: bool,
}

impl Room {
    fn of(script: &mut Script<'_>) -> Self {
        let size = script.size();
        Self { memory: vec![0xA5; size], is_null: script.byte() == 7 }
    }

    fn start(&mut self) -> *mut c_char {
        if self.is_null { null_mut() } else { self.memory.as_mut_ptr().cast() }
    }

    /// Checks the rules for functions that fill a buffer.
    fn holds(&self, status: agd_status, length: usize) {
        if self.is_null || self.memory.is_empty() {
            assert!(status != AGD_OK);
            return;
        }
        match status {
            AGD_OK | AGD_SOME => {
                let text = CStr::from_bytes_until_nul(&self.memory[length..])
                    .expect("a NUL behind the text");
                assert!(text.is_empty() && length < self.memory.len());
            }
            AGD_ERROR_BUFFER_TOO_SMALL => {
                assert!(self.memory[0] == 0 && length >= self.memory.len())
            }
            _ => {}
        }
    }
}

impl Room {
    /// Like [`text`](Self::text), for decoded text, which may contain a NUL.
    fn holds_decoded(&self, status: agd_status, length: usize) {
        if status == AGD_OK && !self.is_null {
            assert!(length < self.memory.len() && self.memory[length] == 0);
        } else {
            self.holds(status, length);
        }
    }
}

/// Calls a function that fills a buffer of some size. Returns the buffer, the status and the length.
fn filled(
    world: &mut World<'_>,
    call: impl FnOnce(&mut World<'_>, *mut c_char, usize, *mut usize) -> agd_status,
) -> (Room, agd_status, usize) {
    let (mut room, mut length) = (Room::of(&mut world.script), 0);
    let (start, capacity) = (room.start(), room.memory.len());
    let status = known(call(world, start, capacity, &raw mut length));
    (room, status, length)
}

/// Returns options, or none.
fn given<T>(world: &mut World<'_>, options: &mut Item<T>) -> *const T {
    if world.script.is() { options.place().cast_const() } else { null() }
}

/// A C struct with a size that may be wrong, and memory after it that must not change.
#[repr(C)]
struct Item<T> {
    value: MaybeUninit<T>,
    behind: [u64; 4],
}

const BEHIND: [u64; 4] = [0x5A5A_5A5A_5A5A_5A5A; 4];

impl<T> Item<T> {
    /// `grows` states whether the struct begins with its size.
    fn new(script: &mut Script<'_>, grows: bool) -> Self {
        let mut item = Self { value: MaybeUninit::zeroed(), behind: BEHIND };
        if grows {
            let size = match script.byte() {
                1 => 0,
                2 => size_of::<T>() - 1,
                3 => size_of::<T>() + size_of::<[u64; 4]>(),
                4 => usize::MAX,
                _ => size_of::<T>(),
            };
            unsafe { item.value.as_mut_ptr().cast::<usize>().write(size) };
        }
        item
    }

    fn place(&mut self) -> *mut T {
        self.value.as_mut_ptr()
    }

    /// Returns the value: zero if nothing was written.
    fn get(&self) -> &T {
        assert_eq!(self.behind, BEHIND, "written behind a struct");
        unsafe { self.value.assume_init_ref() }
    }
}

/// Every status has a name.
fn known(status: agd_status) -> agd_status {
    let name = unsafe { CStr::from_ptr(agd_status_name(status)) };
    assert!(name != c"unknown", "{status}");
    assert!(!unsafe { CStr::from_ptr(agd_status_message(status)) }.is_empty());
    status
}

/// The state of the calls: zero at first, as in a C program before any call.
struct World<'a> {
    script: Script<'a>,
    bytes: &'a [u8],
    documents: [agd_document; 3],
    robots: agd_robots,
    decision: agd_decision,
    discovery: Box<agd_discovery>,
    /// The last text that was read.
    text: agd_text,
    value: agd_value,
}

impl World<'_> {
    fn document(&mut self) -> *const agd_document {
        match self.script.byte() % 8 {
            7 => null(),
            index => &raw const self.documents[usize::from(index % 3)],
        }
    }

    /// Returns a text that was read, a piece of the document, an empty text, or an invalid one.
    fn argument(&mut self) -> agd_text {
        let (from, length) = (usize::from(self.script.byte()), usize::from(self.script.byte()));
        let start = from.min(self.bytes.len());
        let piece = &self.bytes[start..(start + length).min(self.bytes.len())];
        let of = |bytes: &[u8]| agd_text { ptr: bytes.as_ptr().cast(), len: bytes.len(), flags: 0 };
        match self.script.byte() % 12 {
            0..3 => self.text,
            3..6 => of(piece),
            6 => agd_text { ptr: null(), len: 0, flags: 0 },
            7 => agd_text { ptr: null(), len: 9, flags: 0 },
            8 => agd_text { flags: u32::from(self.script.byte()), ..of(piece) },
            9 => of(b"https://a.example/x"),
            10 => of(b"\xff"),
            _ => of(b"search"),
        }
    }

    /// Keeps a text that was read, and checks that all of it is readable.
    fn keep(&mut self, text: agd_text) {
        if text.ptr.is_null() {
            assert_eq!(text.len, 0);
            return;
        }
        let bytes = unsafe { std::slice::from_raw_parts(text.ptr.cast::<u8>(), text.len) };
        std::hint::black_box(bytes.iter().fold(0_u8, |sum, byte| sum ^ byte));
        self.text = text;
    }
}

/// Reads the items of a list to its end, with a struct whose size may be wrong. A list from the
/// library ends; any other list returns an error.
unsafe fn walk<L, I: Copy>(
    world: &mut World<'_>,
    mut list: L,
    grows: bool,
    next: unsafe extern "C" fn(*mut L, *mut I) -> agd_status,
    mut each: impl FnMut(&mut World<'_>, &I),
) {
    if world.script.byte() == 9 {
        let mut item = Item::<I>::new(&mut world.script, grows);
        assert_eq!(unsafe { next(null_mut(), item.place()) }, AGD_ERROR_NULL);
        assert!(unsafe { next(&raw mut list, null_mut()) } < 0);
    }
    for _ in 0..1000 {
        let mut item = Item::<I>::new(&mut world.script, grows);
        match known(unsafe { next(&raw mut list, item.place()) }) {
            AGD_SOME => each(world, item.get()),
            _ => return,
        }
    }
}

extern "C" fn diagnostic(user: *mut c_void, diagnostic: *const agd_diagnostic) -> bool {
    let left = unsafe { &mut *user.cast::<u32>() };
    let mut buffer = [0; 64];
    let mut length = 0;
    known(unsafe {
        agd_diagnostic_message(diagnostic, buffer.as_mut_ptr(), buffer.len(), &raw mut length)
    });
    *left = left.saturating_sub(1);
    *left != 0
}

extern "C" fn difference(user: *mut c_void, difference: *const agd_difference) -> bool {
    let (left, difference) = unsafe { (&mut *user.cast::<u32>(), &*difference) };
    assert!(
        difference.first_start <= difference.first_end
            && difference.second_start <= difference.second_end
    );
    assert!(difference.in_first == AGD_TRUE || difference.first_end == 0);
    assert!(difference.in_second == AGD_TRUE || difference.second_end == 0);
    *left = left.saturating_sub(1);
    *left != 0
}

extern "C" fn loss(_: *mut c_void, loss: *const agd_loss) {
    let mut buffer = [0; 64];
    known(unsafe { agd_loss_path(loss, buffer.as_mut_ptr(), buffer.len(), null_mut()) });
    known(unsafe { agd_loss_message(loss, buffer.as_mut_ptr(), buffer.len(), null_mut()) });
}

extern "C" fn change(_: *mut c_void, change: *const agd_change) {
    assert!(!change.is_null());
}

/// Reads one input.
pub fn run(bytes: &[u8]) {
    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    let script = bytes.get(end + 1..).unwrap_or_default();
    // The memory has exactly the size of the document, so that a sanitizer finds reads beyond it.
    let document: Box<[u8]> = bytes[..end].into();
    let mut world: World<'_> = World {
        script: Script { bytes: script, at: 0 },
        bytes: &document,
        documents: unsafe { MaybeUninit::zeroed().assume_init() },
        robots: unsafe { MaybeUninit::zeroed().assume_init() },
        decision: unsafe { MaybeUninit::zeroed().assume_init() },
        discovery: unsafe { Box::<agd_discovery>::new_zeroed().assume_init() },
        text: agd_text { ptr: null(), len: 0, flags: 0 },
        value: agd_value { kind: 0, text: agd_text { ptr: null(), len: 0, flags: 0 } },
    };
    world.decision.size = size_of::<agd_decision>();
    if script.is_empty() {
        (0..calls::CALLS).for_each(|call| unsafe { calls::call(&mut world, call) });
    }
    for _ in 0..64 {
        if world.script.at >= script.len() {
            break;
        }
        let call = world.script.byte() % calls::CALLS;
        unsafe { calls::call(&mut world, call) };
    }
}
