//! Output and stack measurement. Uses neither `core::fmt` nor UTF-8 validation, which would count as
//! code of the library.

/// The platform: standard output of a host, or a debugger.
pub(crate) trait Terminal {
    fn put(&mut self, text: &str);

    /// Starts measuring the stack depth, if the platform supports it.
    fn begin(&mut self) {}

    /// Stops measuring, and records the depth for `_part`.
    fn end(&mut self, _part: &'static str) {}
}

/// Prints texts, a 32-bit number, and a line end.
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
