//! The check whether a site is ready.

use agentsdisc_core::discovery::Header;
use agentsdisc_core::readiness::served::ServingCode;
use agentsdisc_core::readiness::{
    Answer, Check, Site, Status, Tally, Topic, Topics, serve, survey,
};

use crate::{bytes, keep, show, text};

/// # Safety
/// `data` must point to the given number of bytes, a URL, a header or a body, `codes` to a check, a
/// topic and a code.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_readiness(
    data: *const u8,
    length: usize,
    codes: *const (Check, Topic, ServingCode, Status),
) {
    // SAFETY: guaranteed by the caller.
    let (body, url, codes) = unsafe { (bytes(data, length), text(data, length), codes.read()) };
    let (check, topic, code, status) = codes;
    keep((check.id(), check.about(), check.level(), check.weight(), check.topic()));
    keep((topic.as_str(), code.as_str(), code.severity(), code.about(), status.as_str()));
    let topics = Topics::NONE.with(topic);
    keep(topics.contains(topic));
    let headers = [Header { name: body, value: body }];
    let answers =
        [Answer { url, status: length as u16, headers: &headers, body, ..Answer::default() }];
    let expected = topics;
    let site = Site { calls: true, expected, ignored: topics, nonce: url, ..Site::new(url, url) };
    let mut tally = Tally::default();
    survey(&site, &answers, &mut |probe| keep(probe.url.len()), &mut |finding| {
        tally.add(finding.check, finding.status);
        keep((finding.message.is_empty(), finding.evidence.answer));
        show(finding.message);
        show(finding.fix);
    });
    keep((tally.status(check), tally.level(), tally.score().percent()));
    serve(
        &site,
        (url, &[(url, url)]),
        &answers,
        &mut |probe| keep(probe.url.len()),
        &mut |served| {
            keep((served.url.len(), served.at));
            show(served.remark.message);
        },
        &mut |placed| keep((placed.place.path, placed.answer, placed.format)),
    );
}
