//! Recognizes email addresses.

/// Whether a text has the form of an email address: a local part without blanks, one `@`, and a
/// host of letters, digits, dots, hyphens and square brackets.
pub(crate) fn is_email(chars: impl Iterator<Item = char>) -> bool {
    let (mut local, mut host) = (0_u32, None);
    for c in chars {
        match (&mut host, c) {
            (_, c)
                if c.is_whitespace()
                    || c.is_control()
                    || matches!(c, ',' | ';' | '<' | '>' | '(' | ')' | ':' | '/') =>
            {
                return false;
            }
            (None, '@') => host = Some(0_u32),
            (None, _) => local = local.saturating_add(1),
            (Some(_), '@') => return false,
            (Some(length), c) if c.is_alphanumeric() || matches!(c, '.' | '-' | '[' | ']') => {
                *length = length.saturating_add(1)
            }
            (Some(_), _) => return false,
        }
    }
    local > 0 && host.is_some_and(|length| length > 0)
}
