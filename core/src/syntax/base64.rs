//! Base64 (RFC 4648).

#[cfg(feature = "identity")]
use crate::sink::Sink;

/// The last two digits of base64.
const STANDARD: [u8; 2] = *b"+/";
/// The last two digits of base64url.
pub(crate) const URL: [u8; 2] = *b"-_";

/// Decodes base64 without padding into a buffer. The array has the last two digits of
/// the alphabet. Returns the decoded length, which may exceed the length of the buffer. Returns
/// `None` if the text is not base64.
pub(crate) fn decode(
    text: impl Iterator<Item = char>,
    [last_but_one, last]: [u8; 2],
    buffer: &mut [u8],
) -> Option<usize> {
    let (mut bits, mut count, mut length) = (0_u32, 0_u32, 0_usize);
    for c in text {
        let digit = match u8::try_from(c).ok()? {
            letter @ b'A'..=b'Z' => letter.wrapping_sub(b'A'),
            letter @ b'a'..=b'z' => letter.wrapping_sub(b'a').wrapping_add(26),
            digit @ b'0'..=b'9' => digit.wrapping_sub(b'0').wrapping_add(52),
            mark if mark == last_but_one => 62,
            mark if mark == last => 63,
            _ => return None,
        };
        bits = (bits << 6) | u32::from(digit);
        count = count.wrapping_add(6);
        if count >= 8 {
            count = count.wrapping_sub(8);
            if let Some(place) = buffer.get_mut(length) {
                *place = (bits >> count) as u8;
            }
            length = length.saturating_add(1);
        }
    }
    // Six bits that are left over are a whole digit that completes no byte, which is invalid.
    (count < 6).then_some(length)
}

/// Decodes base64 whose padding may be absent as a whole (RFC 9651 section 4.2.7). Returns what
/// `decode` returns.
pub(crate) fn decode_padded(text: &[u8], buffer: &mut [u8]) -> Option<usize> {
    let digits = text.strip_suffix(b"==").or(text.strip_suffix(b"=")).unwrap_or(text);
    if digits.len() < text.len() && !text.len().is_multiple_of(4) {
        return None;
    }
    decode(digits.iter().map(|digit| char::from(*digit)), STANDARD, buffer)
}

/// Writes octets in base64 with padding.
#[cfg(feature = "identity")]
pub(crate) fn put(octets: &[u8], sink: &mut (impl Sink + ?Sized)) {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for part in octets.chunks(3) {
        let octet = |at: usize| u32::from(part.get(at).copied().unwrap_or(0));
        let bits = octet(0) << 16 | octet(1) << 8 | octet(2);
        for (at, shift) in [18, 12, 6, 0].into_iter().enumerate() {
            let digit = DIGITS.get((bits >> shift & 63) as usize).copied().unwrap_or(b'A');
            sink.put(&[if at <= part.len() { digit } else { b'=' }]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::decode_padded;

    #[test]
    fn the_padding_is_whole_or_absent() {
        for (text, length) in
            [("YQ==", 1), ("YQ", 1), ("YWI=", 2), ("YWI", 2), ("YWJj", 3), ("", 0)]
        {
            assert_eq!(decode_padded(text.as_bytes(), &mut []), Some(length), "{text}");
        }
        for text in ["YQ=", "YQ===", "YWI==", "YWJj=", "YQ==YQ==", "=", "==", "Y", "Y===", "YQ =="]
        {
            assert_eq!(decode_padded(text.as_bytes(), &mut []), None, "{text}");
        }
    }
}
