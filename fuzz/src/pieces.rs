//! Texts from meaningful pieces, which are closer to a grammar than random bytes.

/// Returns one piece for each byte. The number is limited, because the compared libraries are not
/// all linear.
pub fn text(bytes: &[u8], pieces: &[&str]) -> String {
    bytes.iter().take(200).map(|&byte| pieces[usize::from(byte) % pieces.len()]).collect()
}
