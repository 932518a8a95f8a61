//! The board: start-up, semihosting, and stack painting to measure the stack depth.

use core::arch::asm;
use core::ptr;

use cortex_m_rt::{ExceptionFrame, entry, exception};
use cortex_m_semihosting::{debug, hio};

use crate::store::Store;
use crate::terminal::{Terminal, line};

/// The maximum stack use of a part of the program.
struct Depth {
    part: &'static str,
    bytes: u32,
}

/// The capacity, which is greater than the number of parts of the program.
const PARTS: usize = 9;

struct Board {
    depths: [Depth; PARTS],
    /// The stack pointer at the start of the measurement.
    from: u32,
}

unsafe extern "C" {
    /// The end of static data; the stack grows down to it (cortex-m-rt's linker script).
    static mut __sheap: u32;
}

const PAINT: u32 = 0xa5a5_a5a5;

/// Bytes reserved for the stack frame of the painting function itself.
const UNPAINTED: u32 = 64;

#[entry]
fn main() -> ! {
    // The attribute makes this a reference to static memory.
    static mut STORE: Store = Store::new();
    let mut board = Board { depths: [const { Depth { part: "", bytes: 0 } }; PARTS], from: 0 };
    crate::run(&mut board, STORE);
    let Board { depths, .. } = &board;
    for depth in depths.iter().filter(|depth| !depth.part.is_empty()) {
        line(&mut Semihosting, &["stack of ", depth.part, ": "], Some(depth.bytes));
    }
    debug::exit(debug::EXIT_SUCCESS);
    loop {}
}

/// Faults, such as a stack overflow.
#[exception]
unsafe fn HardFault(_: &ExceptionFrame) -> ! {
    loop {
        debug::exit(debug::EXIT_FAILURE);
    }
}

struct Semihosting;

impl Terminal for Semihosting {
    fn put(&mut self, text: &str) {
        // Without a debugger there is no output; ignore the error.
        if let Ok(mut output) = hio::hstdout() {
            let _ = output.write_all(text.as_bytes());
        }
    }
}

impl Terminal for Board {
    fn put(&mut self, text: &str) {
        Semihosting.put(text);
    }

    #[inline(never)]
    fn begin(&mut self) {
        self.from = stack_pointer();
        let mut word = &raw mut __sheap;
        while (word as u32) < self.from.saturating_sub(UNPAINTED) {
            // SAFETY: the memory between static data and the stack pointer is unused.
            unsafe { ptr::write_volatile(word, PAINT) };
            word = word.wrapping_add(1);
        }
    }

    #[inline(never)]
    fn end(&mut self, part: &'static str) {
        let mut word: *const u32 = &raw const __sheap;
        // SAFETY: as in `begin`; the painted words end where the used stack begins.
        while (word as u32) < self.from.saturating_sub(UNPAINTED)
            && unsafe { ptr::read_volatile(word) } == PAINT
        {
            word = word.wrapping_add(1);
        }
        let bytes = self.from.saturating_sub(word as u32);
        if let Some(depth) =
            self.depths.iter_mut().find(|depth| depth.part == part || depth.part.is_empty())
        {
            *depth = Depth { part, bytes: depth.bytes.max(bytes) };
        }
    }
}

fn stack_pointer() -> u32 {
    let pointer: u32;
    // SAFETY: it only reads a register.
    unsafe { asm!("mov {}, sp", out(reg) pointer, options(nomem, nostack, preserves_flags)) };
    pointer
}

/// Never linked: nothing in the firmware panics, and `cargo xtask embedded` fails if this is linked.
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {
        debug::exit(debug::EXIT_FAILURE);
    }
}
