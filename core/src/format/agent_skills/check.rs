//! The checks of an index of agent skills that go beyond the types and names of members.
//!
//! The specification has no numbered sections.

use super::{AgentSkills, Objects, SkillObject, Top};
use crate::diagnostic::{Code, Severity, Spec};
use crate::model::Reading;
use crate::rules::is_joined;
use crate::rules::json::{Case, Check, Noted, decoded, members, span_of, strings, strings_in};
use crate::rules::report::Report;
use crate::rules::urls::{Others, Secure};
use crate::syntax::json::{Kind, Value};
use crate::syntax::pieces::{Pieces, before};
use crate::syntax::text::Text;
use crate::syntax::url;

/// The schema of version 0.2.
const SCHEMA: &str = "https://schemas.agentskills.io/discovery/0.2.0/schema.json";

/// The version whose rules apply.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Version {
    V01,
    V02,
}

/// Checks a document. `scratch` needs two numbers for each skill.
pub(crate) fn check<'a>(
    document: &AgentSkills<'a>,
    bytes: &'a [u8],
    scratch: &mut [u32],
    report: &mut Report<'_, 'a>,
) {
    let top = &document.top;
    let object = top.object;
    let mut check = Check::new(bytes, Spec::AgentSkills, report);
    let check = &mut check;
    strings(check, span_of(object, bytes).start as usize);
    members::<Top<'_>>(object, check, "");
    let version = version(document, check);
    check.need::<Top<'_>>(object, &top.seen, "skills", "");
    let Some(Objects(skills)) = top.skills else {
        return;
    };
    let message = "the index is empty; list at least one skill";
    check.some(skills, Severity::Warning, "", message);
    check.objects(skills, "", |value, check| {
        skill(value, version, check);
    });
    let names = document.capabilities().filter_map(|skill| skill.id);
    let message = "an earlier skill already has the name {}; give each skill a unique name";
    check.unique(names, Severity::Error, "", message, scratch);
}

/// Checks the members that state the version, and returns the version. An index without `$schema`
/// has version 0.1, unless its first skill has members of version 0.2.
fn version<'a>(document: &AgentSkills<'a>, check: &mut Check<'_, '_, 'a>) -> Version {
    let top = &document.top;
    if !top.seen.has(Top::schema) {
        let mut skills = document.capabilities().filter_map(|skill| skill.skill);
        let is_new =
            skills.next().is_some_and(|skill| skill.artifact.is_some() || skill.digest.is_some());
        let (code, severity, message) = if is_new {
            (
                Code::MissingRequiredField,
                Severity::Error,
                "{} is missing, so clients read the index as version 0.1, which has other members; add the schema of version 0.2",
            )
        } else {
            (
                Code::MissingRecommendedField,
                Severity::Info,
                "the index has no {}, so it is of version 0.1; version 0.2 has digests, with which clients verify a skill",
            )
        };
        check.lacks(code, severity, "$schema", top.object, "", message);
        return if is_new { Version::V02 } else { Version::V01 };
    }
    if let Some(schema) = top.schema.filter(|schema| !schema.is_blank())
        && schema != *SCHEMA
    {
        let message = "{} is not a known schema, so clients do not use the index; write https://schemas.agentskills.io/discovery/0.2.0/schema.json";
        check.about(Code::UnsupportedVersion, schema, "", message);
    }
    if let Some(version) = top.version {
        let message =
            "version 0.2 states its version by `$schema`, so {} has no meaning; remove it";
        check.about(Code::UnexpectedField, version, "", message);
    }
    Version::V02
}

fn skill<'a>(object: Value<'a>, version: Version, check: &mut Check<'_, '_, 'a>) {
    let noted = members::<SkillObject<'_>>(object, check, "");
    let skill = noted.view();
    let seen = &skill.seen;
    if let Some(name) = check.need_text::<SkillObject<'_>>(object, seen, "name", skill.name, "")
        && !is_name(name)
    {
        check.about(
            Code::InvalidValue,
            name,
            "",
            "{} is not a valid name of a skill; use 1 to 64 lower-case letters, digits and single hyphens between them",
        );
    }
    let description = skill.description;
    if let Some(text) =
        check.need_text::<SkillObject<'_>>(object, seen, "description", description, "")
        && text.chars().nth(LONGEST).is_some()
    {
        let message =
            "{} is longer than 1,024 characters; shorten it, and move the rest into SKILL.md";
        check.about(Code::InvalidLength, text, "", message);
    }
    match version {
        Version::V01 => files(&noted, check),
        Version::V02 => artifact(&noted, check),
    }
}

/// The maximum number of characters of a description.
const LONGEST: usize = 1024;

/// Whether a name matches `^[a-z0-9]+(-[a-z0-9]+)*$` and has at most 64 characters.
fn is_name(name: Text<'_>) -> bool {
    name.chars().nth(64).is_none() && is_joined(name, '-')
}

/// Checks the artifact of a skill of version 0.2.
fn artifact<'a>(noted: &Noted<'a, SkillObject<'a>>, check: &mut Check<'_, '_, 'a>) {
    let skill = noted.view();
    let (object, seen) = (skill.object, &skill.seen);
    let kind = check.need_text::<SkillObject<'_>>(object, seen, "type", skill.kind, "");
    let message = "{} is not a valid type, so clients skip the skill; write skill-md or archive";
    check.one_of(kind, &["skill-md", "archive"], Case::Exact, "", message);
    let url = check.need_text::<SkillObject<'_>>(object, seen, "url", skill.url, "");
    check.public_url(url, Secure::Http, Others::Relative, "");
    if let Some(url) = url
        && kind.is_some_and(|kind| kind == *"archive")
        && !is_archive(url)
    {
        let message = "{} does not end in .tar.gz or .zip, the formats that clients can unpack; use one of them";
        check.graded(Code::InvalidValue, Severity::Warning, url, "", message);
    }
    digest(&skill, check);
    if noted.value_of_kind("files", Kind::Array).is_some() {
        check.lacks(
            Code::UnexpectedField,
            Severity::Warning,
            "files",
            object,
            "",
            "version 0.2 has no {}; pack the files into an archive",
        );
    }
}

/// Whether the path of a URL ends with the extension of an archive.
fn is_archive(url: Text<'_>) -> bool {
    let mut buffer = [0; url::BUFFER];
    let url = decoded(url, &mut buffer).unwrap_or_default();
    let path = before(before(url.as_bytes(), b'#'), b'?');
    [".tar.gz", ".tgz", ".zip"].iter().any(|end| {
        let start = path.len().checked_sub(end.len());
        let tail = start.and_then(|start| path.get(start..));
        tail.is_some_and(|tail| tail.eq_ignore_ascii_case(end.as_bytes()))
    })
}

/// The SHA-256 digest of an empty file.
const EMPTY: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

fn digest<'a>(skill: &SkillObject<'a>, check: &mut Check<'_, '_, 'a>) {
    if let (false, Some(sha256)) = (skill.seen.has(SkillObject::digest), skill.sha256) {
        let message = "{} is read as the digest; write `digest`, with `sha256:` before the digits";
        check.about(Code::NonstandardShape, sha256, "", message);
    } else {
        check.need::<SkillObject<'_>>(skill.object, &skill.seen, "digest", "");
    }
    let Some(text) = skill.digest.or(skill.sha256).filter(|text| !text.is_blank()) else {
        return;
    };
    let mut buffer = [0; 128];
    let written = decoded(text, &mut buffer).unwrap_or_default();
    let digits = match written.strip_prefix("sha256:") {
        None if skill.digest.is_none() => written,
        digits => digits.unwrap_or_default(),
    };
    let is_digit = |octet: u8| matches!(octet, b'0'..=b'9' | b'a'..=b'f');
    let message = if digits.len() != EMPTY.len() || !digits.bytes().all(is_digit) {
        "{} is not a valid digest; write `sha256:` and 64 lower-case hexadecimal digits"
    } else if digits == EMPTY {
        "{} is the digest of an empty file; write that of the artifact"
    } else {
        return;
    };
    check.about(Code::InvalidValue, text, "", message);
}

/// Checks the files of a skill of version 0.1.
fn files<'a>(noted: &Noted<'a, SkillObject<'a>>, check: &mut Check<'_, '_, 'a>) {
    let skill = noted.view();
    check.need::<SkillObject<'_>>(skill.object, &skill.seen, "files", "");
    strings_in(noted, &["files"], check, "");
    let Some(files) = skill.files else { return };
    let mut has_instructions = false;
    for file in files.0 {
        has_instructions |= file == *"SKILL.md";
        if !file.is_blank() && !is_inside(file) {
            let message = "{} is not a path below the folder of the skill; write one without `..`, a backslash or a slash at its start";
            check.about(Code::InvalidValue, file, "", message);
        }
        if check.report.is_full() {
            return;
        }
    }
    if !has_instructions {
        check.lacks(
            Code::MissingRecommendedField,
            Severity::Warning,
            "SKILL.md",
            skill.object,
            "",
            "the files of the skill lack {}, its instructions; list it",
        );
    }
}

/// Whether a path stays below its folder, also after percent-decoding.
fn is_inside(path: Text<'_>) -> bool {
    let mut buffer = [0; 1024];
    let Ok(path) = path.decode(&mut buffer) else {
        return false;
    };
    let path = path.as_bytes();
    let is_up = |segment: &[u8]| {
        let mut rest = segment;
        let mut dots = 0_u8;
        while let Some((first, tail)) = rest.split_first() {
            rest = match (first, tail) {
                (b'.', _) => tail,
                (b'%', [b'2', b'e' | b'E', tail @ ..]) => tail,
                _ => return false,
            };
            dots = dots.saturating_add(1);
        }
        dots == 2
    };
    let is_odd = |octet: &u8| matches!(octet, b'\\' | 0..0x20 | 0x7f);
    // An encoded slash or backslash.
    let is_hidden =
        |triple: &[u8]| triple.eq_ignore_ascii_case(b"%2f") || triple.eq_ignore_ascii_case(b"%5c");
    // A colon in the first segment makes it a URL, or the name of a drive.
    let first = before(path, b'/');
    !path.starts_with(b"/")
        && !path.iter().any(is_odd)
        && !path.windows(3).any(is_hidden)
        && !first.contains(&b':')
        && !Pieces::of(path, b'/').any(is_up)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_single_hyphens_between_words() {
        let longest = "a".repeat(64);
        for name in ["a", "pdf-processing", "0", "a-b-c", &longest] {
            assert!(is_name(Text::plain(name.as_bytes())), "{name}");
        }
        let too_long = "a".repeat(65);
        for name in ["", "-a", "a-", "a--b", "A", "a_b", "a b", "é", &too_long] {
            assert!(!is_name(Text::plain(name.as_bytes())), "{name}");
        }
    }

    #[test]
    fn paths_stay_in_their_folder() {
        for path in ["SKILL.md", "references/API.md", "a/.hidden", "a..b", "..."] {
            assert!(is_inside(Text::plain(path.as_bytes())), "{path}");
        }
        for path in [
            "..",
            "../x",
            "a/../../x",
            "/etc/passwd",
            "a\\b",
            "C:/x",
            "https://x.example/y",
            "%2e%2e/x",
            ".%2E",
            "..%2fx",
            "a%5cb",
            "a\n",
        ] {
            assert!(!is_inside(Text::plain(path.as_bytes())), "{path}");
        }
    }
}
