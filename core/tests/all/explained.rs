//! The examples of the codes: the wrong document has the finding, the right one does not.

use agentsdisc_core::{CheckOptions, Code, Document, Format, ParseOptions};

/// Codes that depend on a size or an option, or on bytes that no text has.
const WITHOUT: [Code; 5] =
    [Code::DocumentCut, Code::LongLine, Code::NotChecked, Code::NotUtf8, Code::TooManyDiagnostics];

fn found(text: &str, format: &str) -> Vec<Code> {
    let options = ParseOptions { format: Format::from_id(format), ..ParseOptions::default() };
    assert!(options.format.is_some(), "{format}");
    let document = Document::parse_with(text.as_bytes(), &options).unwrap();
    let options = CheckOptions { origin: Some("https://mugs.example"), ..CheckOptions::default() };
    let mut codes = Vec::new();
    document.check(&options, |found| codes.push(found.code));
    codes
}

#[test]
fn the_wrong_example_has_the_finding_and_the_right_one_has_not() {
    for code in Code::ALL {
        let Some(example) = code.example() else {
            assert!(WITHOUT.contains(code), "{code} has no example");
            continue;
        };
        let [wrong, right] = [example.wrong, example.right].map(|text| found(text, example.format));
        assert!(wrong.contains(code), "{code}: {wrong:?}");
        assert!(!right.contains(code), "{code}: {right:?}");
    }
}

#[test]
fn every_code_says_why_in_a_sentence() {
    for code in Code::ALL {
        for text in [code.about(), code.why()] {
            assert!(text.ends_with('.') && text.starts_with(|c: char| c.is_uppercase()), "{code}");
        }
        assert_ne!(code.about(), code.why());
    }
}
