//! What a second conversion may change. Shared with the fuzz targets.

/// Checks that the second text is the first one, except for parts that make it stricter: they may be
/// added, and none is lost.
pub(crate) fn assert_only_stricter(first: &[u8], second: &[u8], stricter: &[&str], about: &str) {
    if stricter.is_empty() {
        assert_eq!(second, first, "{about}");
        return;
    }
    let [first, second] = [first, second].map(String::from_utf8_lossy);
    for part in stricter {
        let [before, after] = [&first, &second].map(|text| text.matches(part).count());
        assert!(after >= before, "{about}");
    }
    let kept =
        |text: &str| stricter.iter().fold(text.to_owned(), |text, part| text.replace(part, ""));
    assert_eq!(kept(&second), kept(&first), "{about}");
}
