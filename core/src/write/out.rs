//! The output of a conversion, and its list of losses.
//!
//! One module for each vocabulary (`draft.rs`, `flat.rs`) walks the model, and calls this module
//! with the name of each member in both notations. Text that a reader would misread in a line is
//! rejected here; see `carry.rs`.
//!
//! INVARIANT: every key in a line is a constant or was accepted by [`carry::key`]. Every value was
//! accepted by [`carry::value`], consists of accepted parts, or is folded.

use super::carry;
use super::layout::{Layout, nesting};
use super::lines::{Lines, put_folded, put_text};
use super::loss::{Loss, Part, Path, Reason};
use crate::diagnostic::Severity;
use crate::limits::Limits;
use crate::model::{Choice, Enumeration, List, Member, Raw};
pub(super) use crate::rules::member::{Name, name};
use crate::sink::{Sink, put_number};
use crate::span::Span;
use crate::syntax::json::Kind;
use crate::syntax::json::view::{Field, find};
use crate::syntax::text::{Escape, Text};

/// The two notations.
pub(super) enum Notation<'w> {
    Text(Lines<'w>),
    Json(Layout<'w>),
}

/// The output of a conversion.
pub(super) struct Out<'w, 'a> {
    pub(super) notation: Notation<'w>,
    on_loss: &'w mut dyn FnMut(Loss<'a>),
    /// The source.
    pub(super) bytes: &'a [u8],
    /// The path of the current container.
    pub(super) path: Path<'a>,
    /// The position of that container in the source.
    pub(super) place: Span,
    /// Whether a restriction was lost, so that the conversion is refused.
    pub(super) refused: bool,
    /// The beginning of the names of the metadata that is written; the rest is reported as lost.
    pub(super) carried: &'static str,
    /// The only part of the model of which losses are reported, except those that refuse the
    /// conversion. `None` for the whole model.
    pub(super) only: Option<Part>,
}

impl<'w, 'a> Out<'w, 'a> {
    pub(super) fn new(
        sink: &'w mut dyn Sink,
        json: bool,
        pretty: bool,
        bytes: &'a [u8],
        on_loss: &'w mut dyn FnMut(Loss<'a>),
    ) -> Self {
        let notation = if json {
            Notation::Json(Layout::new(sink, pretty))
        } else {
            Notation::Text(Lines::new(sink))
        };
        Self {
            notation,
            on_loss,
            bytes,
            path: Path::default(),
            place: Span::default(),
            refused: false,
            carried: "",
            only: None,
        }
    }

    /// Copies the bytes of a document.
    pub(super) fn copy(&mut self, bytes: &[u8]) {
        match &mut self.notation {
            Notation::Text(lines) => lines.sink.put(bytes),
            Notation::Json(layout) => layout.copy(bytes),
        }
    }

    pub(super) fn is_json(&self) -> bool {
        matches!(self.notation, Notation::Json(_))
    }

    // Reporting.

    /// Reports a loss below the current container.
    pub(super) fn lose(&mut self, part: Part, reason: Reason, severity: Severity, span: Span) {
        self.lose_path(self.path.then(part), reason, severity, span);
    }

    /// Reports the loss of a member that is a text.
    pub(super) fn lose_text(
        &mut self,
        member: &'static str,
        text: Option<Text<'a>>,
        reason: Reason,
        severity: Severity,
    ) {
        if let Some(text) = text {
            self.lose(Part::object(member), reason, severity, self.span(text));
        }
    }

    /// Reports a member that is present but has no equivalent.
    pub(super) fn no_place(&mut self, member: &'static str, is_there: bool) {
        self.no_place_at(member, is_there.then_some(self.place));
    }

    /// Reports a member without an equivalent at its position, which is `None` if it is absent.
    pub(super) fn no_place_at(&mut self, member: &'static str, place: Option<Span>) {
        if let Some(place) = place {
            self.lose(Part::object(member), Reason::NoPlace, Severity::Warning, place);
        }
    }

    pub(super) fn lose_path(
        &mut self,
        path: Path<'a>,
        reason: Reason,
        severity: Severity,
        span: Span,
    ) {
        self.refused |= severity == Severity::Error;
        if self.only.is_none_or(|part| path.parts.first() == Some(&part))
            || severity == Severity::Error
        {
            (self.on_loss)(Loss { path, reason, severity, span });
        }
    }

    /// The position of a text in the source.
    pub(super) fn span(&self, text: Text<'_>) -> Span {
        Span::of(text.raw(), self.bytes)
    }

    fn raw_span(&self, raw: Raw<'_>) -> Span {
        match raw {
            Raw::Json(value) => Span::of(value.raw(), self.bytes),
            Raw::Text(text) => self.span(text),
        }
    }

    /// The position of a part of the source.
    pub(super) fn span_of(&self, part: &[u8]) -> Span {
        Span::of(part, self.bytes)
    }

    // Containers.

    /// Begins the object that is the whole document.
    pub(super) fn begin(&mut self) {
        if let Notation::Json(layout) = &mut self.notation {
            layout.open(b"{");
        }
    }

    /// Ends the document.
    pub(super) fn finish(&mut self) {
        if let Notation::Json(layout) = &mut self.notation {
            layout.finish();
        }
    }

    /// Writes the object `json`, or a group of lines, with the members that `members` writes;
    /// `model` is its name in the path.
    pub(super) fn object(
        &mut self,
        model: Part,
        json: &'static str,
        place: Span,
        members: impl FnOnce(&mut Self),
    ) {
        if let Notation::Json(layout) = &mut self.notation {
            layout.open_member(json, b"{");
        }
        self.within(model, place, members);
        if let Notation::Json(layout) = &mut self.notation {
            layout.close(b"}");
        }
    }

    /// Writes the array `json` with the elements that `elements` writes.
    pub(super) fn array(&mut self, json: &'static str, elements: impl FnOnce(&mut Self)) {
        if let Notation::Json(layout) = &mut self.notation {
            layout.open_member(json, b"[");
        }
        elements(self);
        if let Notation::Json(layout) = &mut self.notation {
            layout.close(b"]");
        }
    }

    /// Writes an object in an array with the members that `members` writes.
    pub(super) fn element(&mut self, model: Part, place: Span, members: impl FnOnce(&mut Self)) {
        if let Notation::Json(layout) = &mut self.notation {
            layout.element(b"{");
        }
        self.within(model, place, members);
        if let Notation::Json(layout) = &mut self.notation {
            layout.close(b"}");
        }
    }

    /// Writes an object under a name from the document with the members that `members` writes.
    pub(super) fn entry(
        &mut self,
        name: Text<'_>,
        model: Part,
        place: Span,
        members: impl FnOnce(&mut Self),
    ) {
        if let Notation::Json(layout) = &mut self.notation {
            layout.own_name(name);
            layout.open(b"{");
        }
        self.within(model, place, members);
        if let Notation::Json(layout) = &mut self.notation {
            layout.close(b"}");
        }
    }

    /// Runs `work` one step deeper in the model.
    pub(super) fn within(&mut self, model: Part, place: Span, work: impl FnOnce(&mut Self)) {
        let (path, outer) = (self.path, self.place);
        self.path = path.then(model);
        self.place = place;
        work(self);
        self.path = path;
        self.place = outer;
    }

    /// Starts a group of lines; in a block, lines after the first are indented.
    pub(super) fn group(&mut self) {
        if let Notation::Text(lines) = &mut self.notation {
            lines.group();
        }
    }

    /// Starts the fields of a block.
    pub(super) fn indent(&mut self) {
        if let Notation::Text(lines) = &mut self.notation {
            lines.indented = true;
        }
    }

    // Members.

    /// Writes a text, and returns whether it was written. `weight` is the severity of the loss if
    /// it cannot be written.
    pub(super) fn text(&mut self, name: &Name, text: Option<Text<'a>>, weight: Severity) -> bool {
        let Some(text) = text else { return false };
        let problem = self.problem_in(name, text);
        if let Some(reason) = problem {
            self.lose(Part::object(name.model), reason, weight, self.span(text));
            return false;
        }
        self.put(name, text);
        true
    }

    /// Writes the id of a capability: as it is, or in the form that was made of it for the target.
    pub(super) fn id(&mut self, name: &Name, id: Text<'a>, made: Option<&str>) {
        match made {
            None => drop(self.text(name, Some(id), Severity::Error)),
            Some(made) => {
                self.put(name, Text::plain(made.as_bytes()));
                self.lose_text("id", Some(id), Reason::Changed, Severity::Info);
            }
        }
    }

    /// Writes prose. Its white space is folded if a line cannot hold it.
    pub(super) fn prose(&mut self, name: &Name, text: Option<Text<'a>>, weight: Severity) {
        match text.filter(|text| self.folds(*text)) {
            Some(text) => {
                self.lose_text(name.model, Some(text), Reason::Changed, Severity::Info);
                self.folded(Text::plain(name.text.as_bytes()), &[], text);
            }
            None => {
                self.text(name, text, weight);
            }
        }
    }

    /// Whether a text can be written only if it is folded.
    pub(super) fn folds(&self, text: Text<'_>) -> bool {
        !self.is_json() && carry::can_fold(text)
    }

    /// Why a text cannot be written as a value.
    pub(super) fn problem(&self, text: Text<'_>) -> Option<Reason> {
        match self.notation {
            Notation::Text(_) => carry::value(text),
            Notation::Json(_) => (text.escape() == Escape::Plain
                && core::str::from_utf8(text.raw()).is_err())
            .then_some(Reason::NotUtf8),
        }
    }

    /// Why a text cannot be written as the value of this member, whose line may have a comment.
    pub(super) fn problem_in(&self, name: &Name, text: Text<'_>) -> Option<Reason> {
        let is_comment = || !self.is_json() && name.has_comment && carry::holds_comment(text);
        self.problem(text).or_else(|| is_comment().then_some(Reason::Separator))
    }

    /// Writes a text that is known to be valid.
    pub(super) fn put(&mut self, name: &Name, text: Text<'_>) {
        match &mut self.notation {
            Notation::Json(layout) => {
                layout.name(name.json);
                layout.text(text);
            }
            Notation::Text(_) => self.line(Text::plain(name.text.as_bytes()), &[text]),
        }
    }

    /// Writes an enumeration: the text of the source if `keeps` is set or the value is unknown,
    /// otherwise `canonical`, its name in the target. Unknown text that cannot be written becomes
    /// `unknown`, which every reader reads restrictively, like the original.
    pub(super) fn choice<E: Enumeration>(
        &mut self,
        name: &Name,
        choice: Choice<'a, E>,
        keeps: bool,
        canonical: &'static str,
    ) {
        let canonical = Text::plain(canonical.as_bytes());
        let Some(text) = choice.text else {
            return self.put(name, canonical);
        };
        if !keeps && choice.value != E::UNKNOWN {
            if choice.differing_text().is_some() {
                self.lose_text(name.model, Some(text), Reason::Changed, Severity::Info);
            }
            return self.put(name, canonical);
        }
        match self.problem(text) {
            None => self.put(name, text),
            Some(reason) => {
                self.lose_text(name.model, Some(text), reason, Severity::Warning);
                self.put(name, canonical);
            }
        }
    }

    /// Writes texts as separate lines, or as the strings of an array. `weight` is the severity of
    /// the loss of a text that cannot be written; `None` if the loss is already reported.
    pub(super) fn texts(
        &mut self,
        name: &Name,
        texts: impl Iterator<Item = Text<'a>>,
        weight: Option<Severity>,
    ) {
        let mut open = false;
        for (text, index) in texts.zip(0..) {
            if let Some(reason) = self.problem_in(name, text) {
                if let Some(weight) = weight {
                    self.lose(Part::item(name.model, index), reason, weight, self.span(text));
                }
                continue;
            }
            match &mut self.notation {
                Notation::Json(layout) => {
                    if !open {
                        layout.name(name.json);
                        layout.open(b"[");
                        open = true;
                    }
                    layout.text_element(text);
                }
                Notation::Text(_) => self.line(Text::plain(name.text.as_bytes()), &[text]),
            }
        }
        if let Notation::Json(layout) = &mut self.notation
            && open
        {
            layout.close(b"]");
        }
    }

    /// Writes texts on one line with commas, or as the strings of an array. If `if_empty` is set,
    /// also writes an empty list.
    pub(super) fn items(&mut self, name: &Name, items: List<'a, Text<'a>>, if_empty: bool) {
        if !self.is_json() {
            if if_empty || !items.is_empty() {
                self.items_behind(name, name, &[], items, if_empty);
            }
            return;
        }
        let mut open = false;
        for (item, index) in items.zip(0..) {
            if let Some(reason) = self.problem(item) {
                self.lose(
                    Part::item(name.model, index),
                    reason,
                    Severity::Warning,
                    self.span(item),
                );
                continue;
            }
            self.open_list(name, &mut open);
            if let Notation::Json(layout) = &mut self.notation {
                layout.text_element(item);
            }
        }
        if if_empty {
            self.open_list(name, &mut open);
        }
        if let Notation::Json(layout) = &mut self.notation
            && open
        {
            layout.close(b"]");
        }
    }

    fn open_list(&mut self, name: &Name, open: &mut bool) {
        if let Notation::Json(layout) = &mut self.notation
            && !core::mem::replace(open, true)
        {
            layout.name(name.json);
            layout.open(b"[");
        }
    }

    /// Writes a line of valid parts, followed by texts with commas. If `if_empty` is set, writes
    /// the line even without texts.
    pub(super) fn items_behind(
        &mut self,
        key: &Name,
        member: &Name,
        before: &[Text<'_>],
        items: List<'a, Text<'a>>,
        if_empty: bool,
    ) {
        let mut used =
            before.iter().map(|piece| piece.decoded_len()).fold(128_usize, usize::saturating_add);
        let mut any = false;
        let begin = |out: &mut Self, any: &mut bool| {
            let Notation::Text(lines) = &mut out.notation else {
                return;
            };
            if core::mem::replace(any, true) {
                return lines.sink.put(b", ");
            }
            lines.start(Text::plain(key.text.as_bytes()));
            lines.sink.put(b" ");
            for piece in before {
                put_text(*piece, lines.sink);
            }
            if !before.is_empty() {
                lines.sink.put(b" ");
            }
        };
        for (item, index) in items.zip(0..) {
            let length = used.saturating_add(item.decoded_len()).saturating_add(2);
            let too_long = length > Limits::DEFAULT.line;
            let is_comment = key.has_comment && carry::holds_comment(item);
            let problem = carry::part(item, &[','])
                .or_else(|| is_comment.then_some(Reason::Separator))
                .or_else(|| too_long.then_some(Reason::TooLong));
            if let Some(reason) = problem {
                self.lose(
                    Part::item(member.model, index),
                    reason,
                    Severity::Warning,
                    self.span(item),
                );
                continue;
            }
            used = length;
            begin(self, &mut any);
            if let Notation::Text(lines) = &mut self.notation {
                put_text(item, lines.sink);
            }
        }
        if any {
            if let Notation::Text(lines) = &mut self.notation {
                lines.sink.put(b"\n");
            }
        } else if if_empty {
            self.line(Text::plain(key.text.as_bytes()), before);
        }
    }

    /// Writes a raw JSON value as an element.
    pub(super) fn raw_element(&mut self, part: Part, raw: Raw<'a>) {
        if self.is_too_deep(raw) {
            return self.lose(part, Reason::TooDeep, Severity::Warning, self.raw_span(raw));
        }
        if let Notation::Json(layout) = &mut self.notation {
            layout.raw_element(raw);
        }
    }

    /// Writes a raw JSON value under a name that the target defines.
    pub(super) fn raw(&mut self, name: &Name, raw: Option<Raw<'a>>) {
        let Some(raw) = raw else { return };
        if self.is_too_deep(raw) {
            return self.lose(
                Part::object(name.model),
                Reason::TooDeep,
                Severity::Warning,
                self.raw_span(raw),
            );
        }
        if let Notation::Json(layout) = &mut self.notation {
            layout.name(name.json);
            layout.raw(raw);
        }
    }

    /// Reports a value without an equivalent.
    pub(super) fn lose_raw(&mut self, member: &'static str, raw: Option<Raw<'a>>) {
        if let Some(raw) = raw {
            self.lose(Part::object(member), Reason::NoPlace, Severity::Warning, self.raw_span(raw));
        }
    }

    /// Whether a list in the metadata has the same form in the target: lines in text, an array in
    /// JSON.
    pub(super) fn is_as_written(&self, one: &Member<'_>, name: &Name) -> bool {
        match one.value {
            Raw::Text(_) => !self.is_json() && one.name == *name.text,
            Raw::Json(value) => {
                self.is_json() && one.name == *name.json && value.kind() == Kind::Array
            }
        }
    }

    fn is_too_deep(&self, raw: Raw<'_>) -> bool {
        match (&self.notation, raw) {
            (Notation::Json(layout), Raw::Json(value)) => {
                layout.depth().saturating_add(nesting(value.raw())) > Limits::DEFAULT.depth as u32
            }
            _ => false,
        }
    }

    /// Writes members that the target does not know, as unknown members or fields. `in_json` lists
    /// the names that JSON already uses; its first `free` names may be used nevertheless. `in_text`
    /// returns whether text already uses a key.
    pub(super) fn metadata(
        &mut self,
        member: &'static str,
        metadata: impl Iterator<Item = Member<'a>>,
        in_json: &[Field],
        free: usize,
        in_text: fn(&[u8]) -> bool,
    ) {
        for one in metadata {
            let problem = match self.notation {
                _ if !one.name.starts_with_ignore_case(self.carried) => Some(Reason::NoPlace),
                _ if self.is_line(&one) => Some(Reason::NotAField),
                Notation::Text(_) => match one.value {
                    Raw::Text(_) => None,
                    Raw::Json(value) if value.as_text().is_some() => None,
                    Raw::Json(_) => Some(Reason::NotText),
                }
                .or_else(|| carry::key(one.name, in_text))
                .or_else(|| {
                    text_of(one.value).and_then(|value| {
                        carry::value(value).or_else(|| carry::line(one.name, value))
                    })
                }),
                Notation::Json(_) => {
                    let taken = find(in_json, one.name).is_some_and(|index| index as usize >= free);
                    let deep = self.is_too_deep(one.value);
                    if taken { Some(Reason::NameTaken) } else { deep.then_some(Reason::TooDeep) }
                }
            };
            if let Some(reason) = problem {
                self.lose_member(member, &one, reason, Severity::Warning);
                continue;
            }
            match &mut self.notation {
                Notation::Json(layout) => {
                    layout.own_name(one.name);
                    layout.raw(one.value);
                }
                Notation::Text(_) => {
                    if let Some(value) = text_of(one.value) {
                        self.line(one.name, &[value]);
                    }
                }
            }
        }
    }

    /// Whether a member is a line of the source that is not a field: no colon follows its name.
    fn is_line(&self, one: &Member<'_>) -> bool {
        let end = self.span(one.name).end as usize;
        let mut behind = self.bytes.get(end..).unwrap_or_default().iter();
        matches!(one.value, Raw::Text(value) if value.is_empty())
            && matches!(
                behind.find(|byte| !matches!(byte, b' ' | b'\t')),
                None | Some(b'\n' | b'\r')
            )
    }

    /// Reports members without an equivalent.
    pub(super) fn lose_metadata(
        &mut self,
        member: &'static str,
        metadata: impl Iterator<Item = Member<'a>>,
    ) {
        for one in metadata {
            self.lose_member(member, &one, Reason::NoPlace, Severity::Warning);
        }
    }

    /// Reports a member whose name comes from the document.
    pub(super) fn lose_member(
        &mut self,
        member: &'static str,
        one: &Member<'a>,
        reason: Reason,
        severity: Severity,
    ) {
        let path = self.path.then(Part::object(member)).named(one.name);
        // Reports the position of the name, because an empty value has none.
        self.lose_path(path, reason, severity, self.span(one.name));
    }

    pub(super) fn truth(&mut self, name: &Name, value: bool) {
        match &mut self.notation {
            Notation::Json(layout) => {
                layout.name(name.json);
                layout.truth(value);
            }
            Notation::Text(_) => {
                let text: &[u8] = if value { b"true" } else { b"false" };
                self.line(Text::plain(name.text.as_bytes()), &[Text::plain(text)]);
            }
        }
    }

    /// Writes a number. In text, `behind` follows, such as a unit.
    pub(super) fn number(&mut self, name: &Name, number: u32, behind: &[Text<'_>]) {
        match &mut self.notation {
            Notation::Json(layout) => {
                layout.name(name.json);
                layout.number(number);
            }
            Notation::Text(lines) => {
                lines.start(Text::plain(name.text.as_bytes()));
                lines.sink.put(b" ");
                put_number(number.into(), lines.sink);
                behind.iter().for_each(|piece| put_text(*piece, lines.sink));
                lines.sink.put(b"\n");
            }
        }
    }

    /// Writes a line of valid parts.
    pub(super) fn line(&mut self, key: Text<'_>, pieces: &[Text<'_>]) {
        self.folded(key, pieces, Text::EMPTY);
    }

    /// Writes a line of valid parts, followed by prose that is folded.
    pub(super) fn folded(&mut self, key: Text<'_>, pieces: &[Text<'_>], prose: Text<'_>) {
        if let Notation::Text(lines) = &mut self.notation {
            lines.start(key);
            if !prose.is_empty() || pieces.iter().any(|piece| !piece.is_empty()) {
                lines.sink.put(b" ");
            }
            pieces.iter().for_each(|piece| put_text(*piece, lines.sink));
            put_folded(prose, lines.sink);
            lines.sink.put(b"\n");
        }
    }
}

/// The text of a raw value, if it is a string.
fn text_of(raw: Raw<'_>) -> Option<Text<'_>> {
    match raw {
        Raw::Text(text) => Some(text),
        Raw::Json(value) => value.as_text(),
    }
}
