//! Texts of pieces that mean something: more of them are near to what a grammar speaks of than of any bytes.

/// For each byte a piece. Only so many, as the libraries that are compared with do not all take linear time.
pub fn text(bytes: &[u8], pieces: &[&str]) -> String {
    bytes
        .iter()
        .take(200)
        .map(|&byte| pieces[usize::from(byte) % pieces.len()])
        .collect()
}
