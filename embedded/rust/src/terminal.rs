//! Where the program prints, and what is measured meanwhile. No `core::fmt`, nor the check of UTF-8: they would count with the library's code.

/// The outside of the program: the standard output of a host, or a debugger.
pub(crate) trait Terminal {
    fn put(&mut self, text: &str);

    /// From here on the depth of the stack is measured, where that can be.
    fn begin(&mut self) {}

    /// As far as here, for what is called `_part`.
    fn end(&mut self, _part: &'static str) {}
}

/// Prints texts, then a number of 32 bits, then the end of the line.
pub(crate) fn line(terminal: &mut impl Terminal, texts: &[&str], number: Option<u32>) {
    texts.iter().for_each(|text| terminal.put(text));
    if let Some(number) = number {
        for shift in (0..32).step_by(4).rev() {
            let digit = (number >> shift) as usize & 15;
            terminal.put("0123456789abcdef".get(digit..digit + 1).unwrap_or_default());
        }
    }
    terminal.put("\n");
}
