//! The findings of robots.txt files: the one given as [`Robots`], and those among the documents.

use super::finding::Finding;
use super::judge::Inquiry;
use super::place::Place;
use super::{Case, Decision, Reason, Robots, Rule, Source};
use crate::format::Format;
use crate::format::robots_txt::RobotsTxt;

/// Records the preference of the robots.txt for the purpose of the request, if it is stricter than
/// the recorded one.
pub(super) fn note_preference<'a>(inquiry: &Inquiry<'_, 'a>, decision: &mut Decision<'a>) {
    let Decision { case, preference, .. } = decision;
    let (Some(preference), Some(place)) = (preference, inquiry.on_site()) else {
        return;
    };
    for (robots, source) in robots_of(case) {
        let purpose = preference.purpose.as_bytes();
        let stated = robots.preference_of(case.agent, place.for_robots(), purpose);
        let is_equal = stated.stance == preference.stance && preference.statement.is_none();
        if stated.stance > preference.stance || is_equal {
            preference.stance = stated.stance;
            preference.by_header = false;
            preference.statement = stated.statement.map(|statement| Rule {
                text: statement.text,
                span: statement.span,
                source,
            });
        }
    }
}

/// Every robots.txt that was read: the one given as [`Robots`], and those among the documents.
fn robots_of<'a>(case: &Case<'a>) -> impl Iterator<Item = (RobotsTxt<'a>, Source)> {
    let given = match case.robots {
        Robots::Found(robots) if Format::RobotsTxt.is_built_in() => Some((robots, Source::Robots)),
        _ => None,
    };
    let among =
        case.documents.indexed().filter(|_| Format::RobotsTxt.is_built_in()).filter_map(
            |(index, document)| Some((document.robots_txt()?, Source::Document(index))),
        );
    given.into_iter().chain(among)
}

/// Whether there is a robots.txt.
#[cfg(feature = "call")]
pub(super) fn has_robots(case: &Case<'_>) -> bool {
    robots_of(case).next().is_some()
}

/// Records a denial of the robots.txt.
pub(super) fn note_robots<'a>(inquiry: &Inquiry<'_, 'a>, decision: &mut Decision<'a>) {
    let denial = match inquiry.place {
        // An unreachable robots.txt denies every URL, also an unknown endpoint.
        None => matches!(decision.case.robots, Robots::Unreachable)
            .then_some(Finding::of(Reason::RobotsUnreachable)),
        Some(_) => inquiry
            .on_site()
            .and_then(|place| ask_robots(&decision.case, place))
            .filter(Finding::is_explicit_denial),
    };
    if let Some(denial) = denial
        && decision.note_answer(denial.reason)
    {
        decision.conclude(denial);
    }
}

/// The finding of the robots.txt files: the first denial, otherwise the first rule that allows.
// Called twice, but cheap without a robots.txt.
pub(super) fn ask_robots<'a>(case: &Case<'a>, place: &Place) -> Option<Finding<'a>> {
    let ask = |(robots, source): (RobotsTxt<'a>, Source)| {
        let verdict = robots.decide_for(case.agent, place.for_robots());
        let rule = verdict.rule?;
        let reason = match verdict.allowed {
            true => Reason::RobotsAllowed,
            false if robots.unread_restriction().is_some() => Reason::UnreadRestriction,
            false => Reason::RobotsDisallowed,
        };
        Some(Finding { reason, rule: Some(Rule { text: rule.pattern, span: rule.span, source }) })
    };
    let is_unreachable =
        matches!(case.robots, Robots::Unreachable) && place.path() != b"/robots.txt";
    let unreachable = is_unreachable.then_some(Finding::of(Reason::RobotsUnreachable));
    let found = robots_of(case).filter_map(ask);
    unreachable.into_iter().chain(found).reduce(|first, other| {
        if first.reason.is_allowed() && !other.reason.is_allowed() { other } else { first }
    })
}
