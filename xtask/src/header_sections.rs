//! The sections of the C header: the functions in the order of a first program, an index of them at
//! the top, and groups for the reference in HTML (doxygen). cbindgen writes functions in the order
//! of the files of the C crate.

use crate::shell::{Stop, failed};

/// A section: its name for doxygen, its title, and the names of its functions in their order, with
/// `*` for any text. A function belongs to the first section in
/// [`CLAIMS`] that has its name.
struct Section {
    id: &'static str,
    title: &'static str,
    names: &'static [&'static str],
}

const SECTIONS: [Section; 13] = [
    Section {
        id: "reading",
        title: "Reading a document",
        names: &[
            "agd_parse*",
            "agd_unread",
            "agd_detect*",
            "agd_document_format",
            "agd_document_span",
            "agd_document_position",
        ],
    },
    Section {
        id: "statuses",
        title: "Statuses, and the version of the library",
        names: &["agd_status_*", "agd_version*"],
    },
    Section {
        id: "model",
        title: "What a document states",
        names: &["agd_document_*", "agd_*_next"],
    },
    Section {
        id: "texts",
        title: "Texts and values",
        names: &[
            "agd_text_*",
            "agd_texts_next",
            "agd_value_*",
            "agd_values_next",
            "agd_members_next",
            "agd_json_*",
        ],
    },
    Section {
        id: "decisions",
        title: "Decisions: may the agent do that",
        names: &[
            "agd_decide*",
            "agd_decision_*",
            "agd_offers_*",
            "agd_applied_limits_*",
            "agd_words_next",
            "agd_reason_*",
        ],
    },
    Section { id: "robots", title: "robots.txt", names: &["agd_robots_*", "agd_document_robots"] },
    Section {
        id: "discovery",
        title: "Discovery: the documents of a site",
        names: &["agd_discovery_*", "agd_rejection_*", "agd_resource_*", "agd_pointing_*"],
    },
    Section {
        id: "calls",
        title: "Calls of capabilities",
        names: &["agd_call_*", "agd_outcomes_next", "agd_problem_name"],
    },
    Section {
        id: "identity",
        title: "Signed requests (Web Bot Auth)",
        names: &[
            "agd_sign",
            "agd_signature_field",
            "agd_verify",
            "agd_card_keys",
            "agd_key_octets",
            "agd_verdict_*",
            "agd_algorithm_name",
        ],
    },
    Section {
        id: "checks",
        title: "What is wrong with a document",
        names: &["agd_check*", "agd_diagnostic*", "agd_differences", "agd_severity_name"],
    },
    Section {
        id: "writing",
        title: "JSON, and documents of other formats",
        names: &["agd_write_json", "agd_convert", "agd_fix", "agd_loss_*"],
    },
    Section {
        id: "formats",
        title: "Single formats",
        names: &[
            "agd_adp_*",
            "agd_headers_next",
            "agd_awp_*",
            "agd_agents_md_*",
            "agd_type_parse",
            "agd_type_name",
            "agd_type_options_next",
        ],
    },
    Section {
        id: "names",
        title: "URLs, links, and names of numbers",
        names: &["agd_url_*", "agd_host_*", "agd_links_*", "agd_format_*", "agd_*_name"],
    },
];

/// The sections with the narrowest names first.
const CLAIMS: [&str; 13] = [
    "reading",
    "statuses",
    "texts",
    "robots",
    "discovery",
    "calls",
    "identity",
    "checks",
    "writing",
    "formats",
    "decisions",
    "names",
    "model",
];

/// The place of a function among the names of a section, if it has one.
fn place(section: &Section, function: &str) -> Option<usize> {
    section.names.iter().position(|name| match name.split_once('*') {
        Some((start, end)) => function.starts_with(start) && function.ends_with(end),
        None => function == *name,
    })
}

/// Puts the functions of a header of cbindgen into sections, with an index at the top. Functions that
/// return a status get `AGD_MUST_USE`.
pub(crate) fn arranged(header: &str) -> Result<String, Stop> {
    const START: &str = "extern \"C\" {\n#endif // __cplusplus\n\n";
    const END: &str = "#ifdef __cplusplus\n}  // extern \"C\"";
    let form =
        || Stop::Failed("the header has an unexpected form; update header_sections.rs".into());
    let (head, rest) = header.split_once(START).ok_or_else(form)?;
    let (functions, tail) = rest.split_once(END).ok_or_else(form)?;
    let functions: Vec<(&str, String)> = { functions.split("\n\n") }
        .map(str::trim)
        .filter(|block| !block.is_empty())
        .map(|block| name_of(block).map(|name| (name, marked(block))).ok_or_else(form))
        .collect::<Result<_, _>>()?;
    let mut sections: Vec<(&Section, Vec<&(&str, String)>)> =
        SECTIONS.iter().map(|section| (section, Vec::new())).collect();
    for function in &functions {
        let claims =
            CLAIMS.iter().filter_map(|id| sections.iter().position(|(it, _)| it.id == *id));
        let claimed = claims.into_iter().find(|&at| {
            sections.get(at).is_some_and(|(section, _)| place(section, function.0).is_some())
        });
        match claimed.and_then(|at| sections.get_mut(at)) {
            Some((_, list)) => list.push(function),
            None => return failed(format!("{} has no section in header_sections.rs", function.0)),
        }
    }

    let mut index = String::from(
        " *\n * Functions are in sections, in the order of a first program. Constants and types stand before them.\n *\n",
    );
    let mut body = String::new();
    for (number, (section, list)) in sections.iter_mut().enumerate() {
        list.sort_by_key(|(name, _)| place(section, name));
        let number = number + 1;
        index += &format!(" * {number}. {}\n", section.title);
        for line in wrapped(list.iter().map(|(name, _)| *name)) {
            index += &format!(" *    {line}\n");
        }
        let (id, title) = (section.id, section.title);
        body += &format!("/// @defgroup {id} {number}. {title}\n/// @{{\n\n");
        for (_, text) in list {
            body += text;
            body += "\n\n";
        }
        body += "/// @}\n\n";
    }
    let (first, rest) = head.split_once("\n */\n").ok_or_else(form)?;
    Ok(format!("{first}\n{index} */\n{rest}{START}{body}{END}{tail}"))
}

/// The function that a block of comment and declaration declares.
fn name_of(block: &str) -> Option<&str> {
    let declaration = block.lines().find(|line| !line.starts_with("///"))?;
    let name = declaration.split('(').next()?.rsplit([' ', '*']).next()?;
    name.starts_with("agd_").then_some(name)
}

fn marked(block: &str) -> String {
    block.replace("\nagd_status agd_", "\nAGD_MUST_USE agd_status agd_")
}

/// The names in lines of at most 110 characters.
fn wrapped<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for name in names {
        match lines.last_mut() {
            Some(line) if line.len() + name.len() < 110 => *line += &format!(", {name}"),
            _ => lines.push(name.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_section_claims_its_names() {
        let mut ids = SECTIONS.map(|section| section.id);
        let mut claims = CLAIMS;
        ids.sort_unstable();
        claims.sort_unstable();
        assert_eq!(ids, claims);
    }

    #[test]
    fn functions_come_in_the_order_of_a_program() {
        let header = "/*\n * About.\n */\nextern \"C\" {\n#endif // __cplusplus\n\n\
                      /// Decides.\nagd_status agd_decide(int a);\n\n/// Parses.\nagd_status agd_parse(int a,\n        int b);\n\n\
                      #ifdef __cplusplus\n}  // extern \"C\"\n#endif\n";
        let text = arranged(header).unwrap_or_default();
        assert!(text.starts_with("/*\n * About.\n *\n * Functions are"), "{text}");
        let parse = text.find("AGD_MUST_USE agd_status agd_parse(int a,\n").unwrap_or(usize::MAX);
        assert!(
            text.find("AGD_MUST_USE agd_status agd_decide").is_some_and(|at| at > parse),
            "{text}"
        );
        assert!(arranged(&header.replace("agd_decide", "agd_else")).is_err());
    }
}
