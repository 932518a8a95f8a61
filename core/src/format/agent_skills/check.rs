//! The check of an index of agent skills: what the rules in the tables of the format refer to.
//!
//! An index without `$schema` is checked by the rules of version 0.1, unless its first skill has
//! members of version 0.2. The specification has no numbered sections.

use super::{AgentSkills, SkillObject, Top};
use crate::diagnostic::Spec;
use crate::model::Reading;
use crate::rules::is_joined;
use crate::rules::json::decoded;
pub(super) use crate::rules::json::schema::rules::*;
use crate::rules::report::Report;
use crate::syntax::pieces::{Pieces, before};
use crate::syntax::text::Text;
use crate::syntax::url;

says! {
    NO_SCHEMA: MissingRequiredField, "{} is missing, so clients read the index as version 0.1, which has other members; add the schema of version 0.2";
    OLD_INDEX: MissingRecommendedField Info, "the index has no {}, so it is of version 0.1; version 0.2 has digests, with which clients verify a skill";
    UNKNOWN_SCHEMA: UnsupportedVersion, "{} is not a known schema, so clients do not use the index; write https://schemas.agentskills.io/discovery/0.2.0/schema.json";
    VERSION: UnexpectedField, "version 0.2 states its version by `$schema`, so {} has no meaning; remove it";
    EMPTY: EmptyValue, "the index is empty; list at least one skill";
    SKILL_TWICE: DuplicateId, "an earlier skill already has the name {}; give each skill a unique name";
    NO_NAME: InvalidValue, "{} is not a valid name of a skill; use 1 to 64 lower-case letters, digits and single hyphens between them";
    LONG: InvalidLength, "{} is longer than 1,024 characters; shorten it, and move the rest into SKILL.md";
    NO_TYPE: InvalidValue, "{} is not a valid type, so clients skip the skill; write skill-md or archive";
    NO_ARCHIVE: InvalidValue Warning, "{} does not end in .tar.gz or .zip, the formats that clients can unpack; use one of them";
    SHA256: NonstandardShape, "{} is read as the digest; write `digest`, with `sha256:` before the digits";
    NO_DIGEST: InvalidValue, "{} is not a valid digest; write `sha256:` and 64 lower-case hexadecimal digits";
    EMPTY_DIGEST: InvalidValue, "{} is the digest of an empty file; write that of the artifact";
    FILES: UnexpectedField, "version 0.2 has no {}; pack the files into an archive";
    NO_FILES: EmptyValue Error, "the skill has no files; list `SKILL.md`, its instructions, and the others";
    OUTSIDE: InvalidValue, "{} is not a path below the folder of the skill; write one without `..`, a backslash or a slash at its start";
    NO_INSTRUCTIONS: MissingRecommendedField, "the files of the skill lack {}, its instructions; list it";
}

/// The schema of version 0.2.
pub(super) const SCHEMA: &str = "https://schemas.agentskills.io/discovery/0.2.0/schema.json";
/// The maximum number of characters of a description.
const LONGEST: usize = 1024;
/// The SHA-256 digest of an empty file.
const EMPTY_SHA256: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/// Checks a document. `scratch` needs two numbers for each skill.
pub(crate) fn check<'a>(
    document: &AgentSkills<'a>,
    bytes: &'a [u8],
    scratch: &mut [u32],
    report: &mut Report<'_, 'a>,
) {
    let mut check = Check::new(bytes, Spec::AgentSkills, report).with(scratch);
    let mut skills = document.capabilities().filter_map(|skill| skill.skill);
    let first = skills.next();
    let is_new = first.is_some_and(|skill| skill.artifact.is_some() || skill.digest.is_some());
    if !is_new && !document.top.seen.has(Top::schema) {
        check.profile = Old;
    }
    check.document(document.top.object, Top::RULES);
}

pub(super) fn index<'a>(row: &Row<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    let top: Top<'a> = row.view();
    if let Some(version) = top.version.filter(|_| top.seen.has(Top::schema)) {
        check.say(VERSION, version, row);
    }
}

pub(super) fn skill<'a>(row: &Row<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    let skill: SkillObject<'a> = row.view();
    if check.profile == New {
        if skill.files.is_some() {
            check.without(FILES, "files", row);
        }
        return digest(&skill, row, check);
    }
    if skill
        .files
        .is_some_and(|mut files| !files.0.is_empty() && !files.0.any(|file| file == *"SKILL.md"))
    {
        check.without(NO_INSTRUCTIONS, "SKILL.md", row);
    }
}

fn digest<'a>(skill: &SkillObject<'a>, row: &Row<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    if let (false, Some(sha256)) = (skill.seen.has(SkillObject::digest), skill.sha256) {
        check.say(SHA256, sha256, row);
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
    if digits.len() != EMPTY_SHA256.len() || !digits.bytes().all(is_digit) {
        check.say(NO_DIGEST, text, row);
    } else if digits == EMPTY_SHA256 {
        check.say(EMPTY_DIGEST, text, row);
    }
}

pub(super) fn has_no_sha256(row: &Row<'_, '_>) -> bool {
    row.view::<SkillObject<'_>>().sha256.is_none()
}

pub(super) fn is_packed(row: &Row<'_, '_>) -> bool {
    row.view::<SkillObject<'_>>().kind.is_some_and(|kind| kind == *"archive")
}

pub(super) fn is_short(description: Text<'_>) -> bool {
    description.chars().nth(LONGEST).is_none()
}

/// Whether a name matches `^[a-z0-9]+(-[a-z0-9]+)*$` and has at most 64 characters.
pub(super) fn is_name(name: Text<'_>) -> bool {
    name.chars().nth(64).is_none() && is_joined(name, '-')
}

/// Whether the path of a URL ends with the extension of an archive.
pub(super) fn is_archive(url: Text<'_>) -> bool {
    let mut buffer = [0; url::BUFFER];
    let url = decoded(url, &mut buffer).unwrap_or_default();
    let path = before(before(url.as_bytes(), b'#'), b'?');
    [".tar.gz", ".tgz", ".zip"].iter().any(|end| {
        let start = path.len().checked_sub(end.len());
        let tail = start.and_then(|start| path.get(start..));
        tail.is_some_and(|tail| tail.eq_ignore_ascii_case(end.as_bytes()))
    })
}

/// Whether a path stays below its folder, also after percent-decoding.
pub(super) fn is_inside(path: Text<'_>) -> bool {
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
