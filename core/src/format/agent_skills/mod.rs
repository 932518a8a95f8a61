//! The index of agent skills, versions 0.2 and 0.1. The tables below define the format.
//!
//! A skill is a document of instructions, not an operation: it has no endpoint. Version 0.2 names
//! one artifact for each skill, with its digest; version 0.1 lists the files below the skill's
//! folder.

mod about;
pub(crate) mod check;
pub(crate) mod signs;

use crate::model::{Capability, Head, List, Metadata, Reading, Skill};
use crate::rules::json::reading::{
    Objects, Texts, document_metadata_and, kept, kept_and, next_of_document_of, texts,
};
use crate::syntax::json::Wants;
use crate::syntax::json::lookup::Lookup;
use crate::syntax::json::view::view;
use crate::syntax::outline::Outline;
use crate::syntax::text::Text;

view! {
    /// The document.
    pub struct Top at "" then index {
        /// `$schema`, required since 0.2: the version.
        schema: Text<'a> = b"$schema" [In(New, &Want(NO_SCHEMA)), In(Old, &Want(OLD_INDEX)), OneOf(&[SCHEMA], Case::Exact, UNKNOWN_SCHEMA)],
        /// `version`, the version of earlier drafts, which is read if `$schema` is absent.
        version: Text<'a> = b"version",
        /// `skills`, required.
        skills: Objects<'a> = b"skills" [Need, Filled(EMPTY), Each(SkillObject::RULES)],
    }

    /// A skill.
    pub struct SkillObject at "" then skill {
        /// `name`, required.
        name: Text<'a> = b"name" [Need, Unique(SKILL_TWICE), Fits(is_name, NO_NAME)],
        /// `type`, required since 0.2: skill-md or archive.
        kind: Text<'a> = b"type" [In(New, &Need), In(New, &OneOf(&["skill-md", "archive"], Case::Exact, NO_TYPE))],
        /// `description`, required.
        description: Text<'a> = b"description" [Need, Fits(is_short, LONG)],
        /// `url` of the artifact, required since 0.2.
        url: Text<'a> = b"url" [In(New, &Need), In(New, &PublicUrl(Secure::Http, Others::Relative)), In(New, &If(is_packed, &Fits(is_archive, NO_ARCHIVE)))],
        /// `digest` of the artifact, required since 0.2: `sha256:` and 64 hexadecimal digits.
        digest: Text<'a> = b"digest" [In(New, &If(has_no_sha256, &Need))],
        /// `sha256`, the digits alone, which is read if `digest` is absent.
        sha256: Text<'a> = b"sha256",
        /// `files`, required in 0.1: paths below the folder of the skill.
        files: Texts<'a> = b"files" [In(Old, &Need), In(Old, &Filled(NO_FILES)), In(Old, &Texts), In(Old, &EachText(&Fits(is_inside, OUTSIDE)))],
    }
}

/// The lists whose items [`Document::read`](crate::Document::read) reports during validation.
pub(crate) const LISTS: Wants = Wants { objects: 0, arrays: 1 << Top::skills, names: true };

const SHA256: u32 = SkillObject::sha256;

/// A parsed index of agent skills.
#[derive(Clone, Copy, Debug)]
pub struct AgentSkills<'a> {
    /// The top-level members.
    pub top: Top<'a>,
}

impl<'a> AgentSkills<'a> {
    pub(crate) fn attach(bytes: &'a [u8], outline: &Outline) -> Self {
        Self { top: Top::attach(bytes, outline) }
    }
}

impl<'a> Reading<'a> for AgentSkills<'a> {
    fn head(&self) -> Head<'a> {
        Head { spec_version: self.top.schema.or(self.top.version), ..Head::default() }
    }

    fn capabilities(&self) -> List<'a, Capability<'a>> {
        Objects::list(self.top.skills, |cursor| {
            cursor.next_object().map(|value| capability_of(&SkillObject::read(value)))
        })
    }

    fn metadata(&self) -> Metadata<'a> {
        let top = &self.top;
        if top.schema.is_none() || top.version.is_none() {
            return kept::<Top<'_>>(&top.object, &top.seen);
        }
        document_metadata_and(top.object, None, |cursor| {
            next_of_document_of(cursor, Lookup::of::<Top<'_>>(), |member| member.name == *"version")
        })
    }
}

#[inline(always)]
pub(crate) fn capability_of<'a>(skill: &SkillObject<'a>) -> Capability<'a> {
    let files = texts(skill.files);
    let artifact = Skill {
        artifact: skill.kind,
        digest: skill.digest.or(skill.sha256),
        files,
        ..Skill::default()
    };
    let has_some = artifact.artifact.is_some() || artifact.digest.is_some() || !files.is_nothing();
    Capability {
        id: skill.name,
        description: skill.description,
        detail_url: skill.url,
        skill: has_some.then_some(artifact),
        metadata: kept_and::<SkillObject<'_>>(
            &skill.object,
            &skill.seen,
            skill.digest.map(|_| SHA256),
        ),
        source: skill.object.raw(),
        ..Capability::default()
    }
}
