//! The C constants of the formats and of the kinds of documents. cbindgen reads plain source, not
//! macros.

use std::fmt::Write as _;

/// A row of a core's table: its description by lines, its number and its id.
type Row = (&'static [&'static str], u8, &'static str);

macro_rules! formats {
    (
        []
        $(
            $(#[doc = $doc:literal])*
            $name:ident = $number:literal $id:literal $medium:ident
            $(: $feature:literal of $family:literal, $($module:ident)::+ as $view:ident)?;
        )*
    ) => {
        const FORMATS: &[Row] = &[$((&[$($doc),*], $number, $id),)*];
    };
}

agentsdisc_core::registry!(formats);

macro_rules! kinds {
    ($($(#[doc = $doc:literal])* $name:ident = $number:literal $id:literal $formats:tt,)*) => {
        const RESOURCES: &[Row] = &[$((&[$($doc),*], $number, $id),)*];
    };
}

agentsdisc_core::resources!(kinds);

/// The constants of the formats.
pub(crate) fn formats() -> String {
    constants("FORMAT", FORMATS)
}

/// The constants of the kinds of documents.
pub(crate) fn resources() -> String {
    constants("RESOURCE", RESOURCES)
}

fn constants(kind: &str, rows: &[Row]) -> String {
    let mut text = String::new();
    for (lines, number, id) in rows {
        for line in lines.iter().take_while(|line| !line.is_empty()) {
            let _ = writeln!(text, "///{line}");
        }
        let name = id.to_uppercase().replace('-', "_").replace('.', "");
        let _ = writeln!(text, "pub const AGD_{kind}_{name}: i32 = {number};");
    }
    text
}
