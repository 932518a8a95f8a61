//! Checks the comment of each function in the C header, as docs/c.md promises: it states what may
//! be NULL, who owns what and for how long, thread safety, and the cost. The top of the header has
//! the rules for all functions; this check looks for the words with the specifics.

/// A function of the header.
struct Function {
    name: String,
    declaration: String,
    comment: String,
}

/// Returns what the comments of a header lack: one line for each function.
pub(crate) fn lacking(header: &str) -> Vec<String> {
    functions(header)
        .iter()
        .filter_map(|function| {
            let missing = missing(function);
            (!missing.is_empty()).then(|| {
                format!("the comment of {} does not state {}", function.name, missing.join(" and "))
            })
        })
        .collect()
}

/// The names of the functions of a header.
pub(crate) fn names(header: &str) -> Vec<String> {
    functions(header).into_iter().map(|function| function.name).collect()
}

fn missing(function: &Function) -> Vec<&'static str> {
    let Function { declaration, comment, .. } = function;
    let says = |words: &[&str]| words.iter().any(|word| comment.contains(word));
    let (returned, parameters) = declaration.split_once('(').unwrap_or((declaration, ""));
    let mut missing = Vec::new();
    if parameters.contains('*') && !says(&["NULL", "for misuse"]) {
        missing.push("what may be NULL");
    }
    let borrows = [
        "borrow",
        "tatic",
        "point into",
        "points into",
        "yours",
        "must stay",
        "only read during the call",
        "during the call",
    ];
    // The library returns a pointer, or keeps a reference to the caller's memory.
    let gives = returned.starts_with("const char *") || returned.starts_with("struct ");
    let takes = ["const char *data", "const char *json", "const char *string"]
        .iter()
        .any(|bytes| parameters.contains(bytes));
    if (gives && parameters != "void);" || takes) && !says(&borrows) {
        missing.push("who owns what, and for how long");
    }
    if !says(&["Thread-safe", "thread-safe"]) {
        missing.push("whether it is thread-safe");
    }
    if !says(&["linear", "Linear", "constant", "Constant", "n log n"]) {
        missing.push("what it costs");
    }
    missing
}

/// Returns the functions that a header of cbindgen declares, with their comments.
fn functions(header: &str) -> Vec<Function> {
    let mut found = Vec::new();
    let (mut comment, mut declaration) = (String::new(), String::new());
    for line in header.lines() {
        if let Some(text) = line.strip_prefix("///") {
            comment += text;
        } else if !declaration.is_empty() || is_function(line) {
            declaration += line.trim();
            declaration.push(' ');
            if line.trim_end().ends_with(';') {
                let name = declaration
                    .split('(')
                    .next()
                    .and_then(|head| head.rsplit([' ', '*']).next())
                    .unwrap_or_default()
                    .to_owned();
                let declaration = std::mem::take(&mut declaration);
                let declaration =
                    declaration.trim_end().trim_start_matches("AGD_MUST_USE ").to_owned();
                found.push(Function { name, declaration, comment: std::mem::take(&mut comment) });
            }
        } else {
            comment.clear();
        }
    }
    found
}

/// Whether a line begins the declaration of a function.
fn is_function(line: &str) -> bool {
    !line.starts_with([' ', '#', '/', '}'])
        && !line.starts_with("typedef")
        && !line.starts_with("template")
        && line.split_once('(').is_some_and(|(head, _)| {
            head.rsplit([' ', '*']).next().is_some_and(|name| name.starts_with("agd_"))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_said_is_named() {
        let header = "/// What it is. `document` may be NULL. It borrows. Thread-safe;\n/// linear.\nstruct agd_a agd_good(const struct agd_b *document);\n\n\
                      /// What it is.\nconst char *agd_bad(const char *data,\n                    size_t length);\n";
        let lacking = lacking(header);
        assert_eq!(lacking.len(), 1, "{lacking:?}");
        for words in ["agd_bad does", "NULL", "owns", "thread-safe", "costs"] {
            assert!(lacking.iter().any(|line| line.contains(words)), "{words}: {lacking:?}");
        }
    }
}
