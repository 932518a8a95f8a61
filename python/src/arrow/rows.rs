//! The table: one row per document, including documents that cannot be read.

use std::sync::{Arc, LazyLock};

use agentsdisc_core::document::{Link, Links};
use agentsdisc_core::manifest::{AgentPolicy, Capability, Parameter, Visitor};
use agentsdisc_core::{CheckOptions, Document, ErrorKind, Hints, Limits, ParseOptions};
use arrow_array::types::Int32Type;
use arrow_schema::{Schema, SchemaRef};

use super::blank::Blanks;
use super::chosen::{self, Chosen};
use super::column::{Column, Failure, Finished, Number, Numbers, Put, Tasks, Texts};
use super::model::{Integers, Members};
use super::nested::{Lists, objects};
use crate::diagnostic::{check_with, counts};

/// The version of the table: changes if a column is renamed or removed, or changes its type or
/// meaning; not if one is added.
pub(super) const VERSION: &str = "1";
/// The version of the unified model in the columns.
const MODEL: &str = "1";
/// Columns that exist only if they are selected: they repeat the content of others, or need another
/// pass over the document.
const ON_REQUEST: [&str; 2] = ["model", "links"];
/// Columns of the check, which costs up to three times as much as all others together.
const CHECK: [&str; 4] = ["errors", "warnings", "infos", "diagnostics"];
/// Larger documents are never read, so that the content of one document fits the columns.
const LARGEST: usize = 256 << 20;

type Counts = Numbers<Int32Type>;

/// The settings for reading documents.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) chosen: Chosen,
    pub(crate) limits: Limits,
}

objects! {
    /// The result of the check of a document.
    DiagnosticColumns of &'a crate::diagnostic::Diagnostic as it {
        code ["code"]: Texts = &*it.code,
        severity ["severity"]: Texts = &*it.severity,
        line ["line"]: Integers = Number(it.line),
        column ["column"]: Integers = Number(it.column),
        offset ["offset"]: Integers = Number(it.offset),
        message ["message"]: Texts = it.message.as_str(),
        spec ["spec"]: Texts = &*it.spec,
        section ["section"]: Texts = Some(&*it.section).filter(|section| !section.is_empty()),
    }
}

objects! {
    /// A URL in a document.
    LinkColumns of &'a Link<'a> as it {
        url ["url"]: Texts = it.url,
        label ["label"]: Texts = Some(it.label).filter(|label| !label.is_empty()),
        kind ["kind"]: Texts = it.kind.as_str(),
        start ["start"]: Integers = Number(it.span.start),
        end ["end"]: Integers = Number(it.span.end),
    }
}

/// The columns of the table: the field in Rust, the name, the type.
macro_rules! table {
    ($($member:ident $name:literal: $kind:ty,)*) => {
        /// The growing table.
        pub(crate) struct Rows {
            rows: usize,
            scratch: Vec<u32>,
            $($member: $kind,)*
        }

        impl Rows {
            /// Creates a table without rows.
            pub(crate) fn new(chosen: &Chosen) -> Self {
                $(let $member: $kind = Column::new(chosen, $name);)*
                let mut new = Self { rows: 0, scratch: Vec::new(), $($member,)* };
                // The visitor receives the items, and parameters before their capability.
                let Members { capabilities, agents, .. } = &mut new.members;
                capabilities.elements_are_appended();
                capabilities.items().parameters.elements_are_appended();
                agents.elements_are_appended();
                new
            }

            /// Reserves capacity for a multiple of the current rows.
            pub(super) fn make_room(&mut self, times: usize) {
                $(self.$member.make_room(times);)*
            }

            /// Appends the rows of other tables. `share` runs the tasks that this creates.
            pub(super) fn take_up(&mut self, others: Vec<Self>, share: impl FnOnce(Tasks<'_>)) {
                let (rows, mut tasks) = (self.rows, Tasks::new());
                $(let mut $member = Vec::with_capacity(others.len());)*
                for other in others {
                    self.rows += other.rows;
                    $($member.push((other.rows, other.$member));)*
                }
                $(self.$member.take_up(rows, $member, &mut tasks);)*
                share(tasks);
            }

            /// Returns the columns, in the order of the table.
            pub(super) fn finish(self) -> Result<(Finished, usize), Failure> {
                let (mut done, mut blanks) = (Finished::default(), Blanks::default());
                $(self.$member.finish(self.rows, &mut blanks, &mut done)?;)*
                Ok((done, self.rows))
            }
        }
    };
}

table! {
    url "url": Texts,
    bytes "bytes": Integers,
    format "format": Texts,
    status "status": Texts,
    error_kind "error_kind": Texts,
    error_offset "error_offset": Integers,
    error_line "error_line": Integers,
    error_column "error_column": Integers,
    error_message "error_message": Texts,
    errors "errors": Counts,
    warnings "warnings": Counts,
    infos "infos": Counts,
    diagnostics "diagnostics": Lists<DiagnosticColumns>,
    members "": Members,
    model "model": Texts,
    links "links": Lists<LinkColumns>,
}

/// Returns the default columns.
pub(super) fn usual_columns(check: bool) -> Result<Chosen, Failure> {
    let whole = whole_schema()?;
    let names = whole.fields().iter().map(|field| field.name().as_str());
    Ok(Chosen::from_paths(
        names.filter(|name| !ON_REQUEST.contains(name) && (check || !CHECK.contains(name))),
    ))
}

/// Returns the schema of a table.
pub(super) fn schema(chosen: &Chosen) -> Result<SchemaRef, Failure> {
    let whole = whole_schema()?;
    Ok(match chosen {
        Chosen::All => whole.clone(),
        some => Arc::new(Schema::new_with_metadata(
            chosen::fields(whole.fields(), some),
            whole.metadata().clone(),
        )),
    })
}

/// Returns the schema of a table with every column, created once: for a few documents it costs more
/// than reading them.
fn whole_schema() -> Result<&'static SchemaRef, Failure> {
    static WHOLE: LazyLock<Result<SchemaRef, Failure>> = LazyLock::new(|| {
        let (none, _) = Rows::new(&Chosen::All).finish()?;
        Ok(Arc::new(with_versions(none.fields)))
    });
    WHOLE.as_ref().map_err(Clone::clone)
}

fn with_versions(fields: Vec<arrow_schema::FieldRef>) -> Schema {
    let versions = [
        ("agentsdisc.rows", VERSION),
        ("agentsdisc.model", MODEL),
        ("agentsdisc.version", env!("CARGO_PKG_VERSION")),
    ];
    Schema::new_with_metadata(
        fields,
        versions.map(|(name, value)| (name.to_owned(), value.to_owned())).into(),
    )
}

impl<'a> Visitor<'a> for Rows {
    fn restart(&mut self) {
        self.members.capabilities.truncate(self.rows);
        self.members.agents.truncate(self.rows);
    }

    fn parameter(&mut self, parameter: &Parameter<'a>) {
        self.members
            .capabilities
            .items()
            .parameters
            .append_with(|items, at| items.put_from(at, parameter));
    }

    fn capability(&mut self, capability: &Capability<'a>) {
        self.members.capabilities.append_with(|items, at| items.put_from(at, capability));
    }

    fn agent(&mut self, policy: &AgentPolicy<'a>) {
        self.members.agents.append_with(|items, at| items.put_from(at, policy));
    }
}

impl Rows {
    /// Adds the row of a document; None is a null row.
    pub(crate) fn add(&mut self, body: Option<&[u8]>, url: Option<&str>, limits: Limits) {
        let row = self.rows;
        self.url.put(row, url);
        match body {
            Some(body) => self.document(row, body, url, limits),
            None => {
                self.format.put(row, "unknown");
                self.status.put(row, "error");
                self.error_kind.put(row, "no-body");
                self.error_message.put(row, "the body is null");
            }
        }
        self.rows += 1;
    }

    /// Adds the row of an item without a document.
    pub(crate) fn add_no_record(&mut self, why: &str, url: Option<&str>, size: usize) {
        let row = self.rows;
        self.url.put(row, url);
        self.bytes.put(row, Number(size as i64));
        self.format.put(row, "unknown");
        self.status.put(row, "error");
        self.error_kind.put(row, "invalid-record");
        self.error_message.put(row, why);
        self.rows += 1;
    }

    fn document(&mut self, row: usize, bytes: &[u8], url: Option<&str>, mut limits: Limits) {
        limits.document = limits.document.min(LARGEST);
        limits.robots = limits.robots.min(LARGEST);
        self.bytes.put(row, Number(bytes.len() as i64));
        let hints = Hints { url, content_type: None };
        let options = ParseOptions { format: None, hints, limits };
        // Lists are read only if they are selected.
        let parsed = if self.members.capabilities.is_on() || self.members.agents.is_on() {
            Document::read(bytes, &options, self)
        } else {
            Document::parse_with(bytes, &options)
        };
        let too_large = parsed.as_ref().is_err_and(|error| error.kind == ErrorKind::TooLarge);
        if self.links.is_on() && !too_large {
            Links::new(bytes).for_each(|link| self.links.append(&link));
            self.links.close(row);
        }
        match parsed {
            Ok(document) => {
                self.format.put(row, document.format().id());
                self.status.put(row, "ok");
                self.members.put(row, &document.manifest());
                self.check(row, &document);
                self.model.with(row, |data| {
                    document.put_json(&mut |piece: &[u8]| data.extend_from_slice(piece))
                });
            }
            Err(error) => {
                self.restart();
                self.failed(row, bytes, error, hints, limits);
            }
        }
    }

    fn failed(
        &mut self,
        row: usize,
        bytes: &[u8],
        error: agentsdisc_core::Error,
        hints: Hints<'_>,
        limits: Limits,
    ) {
        if self.format.is_on() {
            // Detection may recognize an unreadable document. It does not scan a document over the
            // limit.
            let too_large = bytes.len() > limits.document_limit();
            self.format.put(
                row,
                if too_large {
                    "unknown"
                } else {
                    agentsdisc_core::detect(bytes, hints).format.id()
                },
            );
        }
        self.status.put(row, "error");
        self.error_kind.put(row, error.kind.as_str());
        self.error_offset.put(row, Number(error.offset as i64));
        if self.error_line.is_on() || self.error_column.is_on() {
            let position = error.position(bytes);
            self.error_line.put(row, Number(position.line));
            self.error_column.put(row, Number(position.column));
        }
        if self.error_message.is_on() {
            self.error_message.put(row, error.explain(bytes).to_string().as_str());
        }
    }

    fn check(&mut self, row: usize, document: &Document<'_>) {
        let counts = if self.diagnostics.is_on() {
            let found = check_with(document, &CheckOptions::default(), &mut self.scratch);
            found.iter().for_each(|diagnostic| self.diagnostics.append(diagnostic));
            self.diagnostics.close(row);
            ["error", "warning", "info"]
                .map(|severity| found.iter().filter(|one| one.severity == severity).count() as u32)
        } else if self.errors.is_on() || self.warnings.is_on() || self.infos.is_on() {
            counts(document, &mut self.scratch)
        } else {
            return;
        };
        let [errors, warnings, infos] =
            counts.map(|count| Number(i32::try_from(count).unwrap_or(i32::MAX)));
        self.errors.put(row, errors);
        self.warnings.put(row, warnings);
        self.infos.put(row, infos);
    }
}
