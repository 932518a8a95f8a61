//! Is a site ready for agents, for the entry `agentsdisc/readiness`: one walk over the checks.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use agentsdisc_core::discovery::{Discovery, Header, Options, USER_AGENT};
use agentsdisc_core::format::robots_txt::RobotsTxt;
use agentsdisc_core::readiness::{
    self, Answer, BUDGET, Check, LEVELS, RULES, Site, Tally, Topic, Topics,
};

use crate::input::Input;
use crate::json::Json;

fn topics(input: &mut Input<'_>) -> Topics {
    let count = input.number();
    let names = (0..count).map_while(|_| input.text());
    names.fold(Topics::NONE, |set, name| {
        let known = Topic::ALL.into_iter().find(|topic| topic.as_str() == name);
        known.map_or(set, |topic| set.with(topic))
    })
}

/// An answer without its headers, and these.
fn answer<'a>(input: &mut Input<'a>) -> Option<(Answer<'a>, Vec<Header<'a>>)> {
    let (url, method, accept) = (input.text()?, input.text()?, input.text()?);
    let (status, failure) = (input.number() as u16, input.text()?);
    let (hides_headers, is_cut) = (input.truth(), input.truth());
    let count = input.number();
    let mut header = || Some(Header { name: input.bytes()?, value: input.bytes()? });
    let headers = (0..count).map_while(|_| header()).collect();
    let body = input.bytes()?;
    let headless = Answer {
        url,
        method,
        accept,
        status,
        failure,
        hides_headers,
        is_cut,
        body,
        ..Answer::default()
    };
    Some((headless, headers))
}

/// A header as one line, with the name as it is usually written.
fn line(header: Header<'_>) -> String {
    let mut text = String::new();
    let mut is_first = true;
    for c in String::from_utf8_lossy(header.name).chars() {
        text.push(if is_first { c.to_ascii_uppercase() } else { c });
        is_first = c == '-';
    }
    text.push_str(": ");
    text.extend(header.value.iter().map(|octet| char::from(*octet)));
    text
}

/// The requests that are missing, and what the answers mean.
pub(crate) fn survey(mut input: Input<'_>, json: &mut Json) {
    let mut next = || input.text().unwrap_or_default();
    let (origin, canonical, agent, nonce) = (next(), next(), next(), next());
    let (is_folder, calls) = (input.truth(), input.truth());
    let (expected, ignored) = (topics(&mut input), topics(&mut input));
    let count = input.number();
    let read: Vec<_> = (0..count).map_while(|_| answer(&mut input)).collect();
    let answers: Vec<_> =
        read.iter().map(|(answer, headers)| Answer { headers, ..*answer }).collect();
    let site =
        Site { canonical, nonce, is_folder, calls, expected, ignored, ..Site::new(origin, agent) };
    let (mut probes, mut findings) = (Json::default(), Json::default());
    let mut tally = Tally::default();
    readiness::survey(
        &site,
        &answers,
        &mut |probe| {
            probes.object(|json| {
                json.name("url").word(probe.url);
                json.name("method").word(probe.method);
                json.name("accept").word(probe.accept);
                json.name("origin").or_null(probe.origin, Json::word);
                json.name("headers").list(|json| {
                    for (name, value) in probe.headers {
                        json.list(|json| {
                            json.word(name);
                            json.word(value);
                        });
                    }
                });
                json.name("content").word(probe.content);
            });
        },
        &mut |found| {
            tally.add(found.check, found.status);
            findings.object(|json| {
                json.name("check").word(found.check.id());
                json.name("status").word(found.status.as_str());
                json.name("message").word(&found.message.to_string());
                let fix = (!found.fix.is_empty()).then(|| found.fix.to_string());
                json.name("fix").or_null(fix, |json, fix| json.word(&fix));
                let number = found.evidence.answer.map(|number| number as u64);
                json.name("answer").or_null(number, Json::number);
                let header = found.evidence.header.map(line);
                json.name("header").or_null(header, |json, header| json.word(&header));
                let line = Some(found.evidence.line).filter(|line| *line > 0);
                json.name("line").or_null(line, Json::number);
            });
        },
    );
    let (level, score) = (tally.level(), tally.score());
    json.object(|json| {
        json.name("rules").word(RULES);
        json.name("probes").list(|json| json.bytes.append(&mut probes.bytes));
        json.name("findings").list(|json| json.bytes.append(&mut findings.bytes));
        json.name("statuses").list(|json| {
            for check in Check::ALL {
                json.list(|json| {
                    json.word(check.id());
                    json.word(tally.status(*check).as_str());
                });
            }
        });
        json.name("level").number(level);
        json.name("level_name").word(LEVELS.get(usize::from(level)).copied().unwrap_or_default());
        json.name("halves").number(score.halves);
        json.name("applicable").number(score.applicable);
        json.name("percent").number(score.percent());
    });
}

/// The origin of a URL. False, with a message, if it has none.
pub(crate) fn origin(mut input: Input<'_>, json: &mut Json) -> bool {
    match Discovery::new(input.text().unwrap_or_default(), &Options::default()) {
        Ok(core) => json.word(core.origin().as_str()),
        Err(problem) => {
            json.word(&problem.to_string());
            return false;
        }
    }
    true
}

/// The budget, the User-Agent that is sent by default, and the topics.
pub(crate) fn facts(json: &mut Json) {
    json.object(|json| {
        json.name("budget").number(BUDGET as u64);
        json.name("user_agent").word(USER_AGENT);
        json.name("topics").list(|json| {
            Topic::ALL.iter().for_each(|topic| json.word(topic.as_str()));
        });
    });
}

/// The sitemaps that a robots.txt names.
pub(crate) fn sitemaps(mut input: Input<'_>, json: &mut Json) {
    let robots = RobotsTxt::parse(input.bytes().unwrap_or_default());
    json.list(|json| robots.sitemaps().for_each(|sitemap| json.text(sitemap.url)));
}
