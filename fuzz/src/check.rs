//! The check of a site whose server sends arbitrary replies: it ends within its budget, stays on the host, and writes no control characters.

use agentsdisc_core::readiness::{Answer, BUDGET, Site, Tally, survey};

use crate::replies::{Reply, replies};

const ORIGIN: &str = "https://a.example";

/// Reads one input.
pub fn run(bytes: &[u8]) {
    let replies = replies(bytes);
    let site = Site {
        // As for a preview, or for a folder.
        canonical: if bytes.len().is_multiple_of(2) { ORIGIN } else { "https://b.example" },
        is_folder: bytes.len().is_multiple_of(3),
        ..Site::new(ORIGIN, "Fuzz")
    };
    let mut asked: Vec<(String, &str, &str, usize)> = Vec::new();
    loop {
        let answers: Vec<Answer<'_>> = asked
            .iter()
            .map(|(url, method, accept, reply)| {
                let Reply { status, headers, body } = &replies[*reply];
                Answer {
                    url,
                    method,
                    accept,
                    status: status.unwrap_or(0),
                    failure: if status.is_none() { "no reply" } else { "" },
                    headers,
                    hides_headers: site.is_folder,
                    body,
                    is_cut: body.len() > 1000,
                }
            })
            .collect();
        let (mut wanted, mut tally) = (Vec::new(), Tally::default());
        survey(
            &site,
            &answers,
            &mut |probe| {
                assert!(
                    probe.url == ORIGIN || probe.url.starts_with("https://a.example/"),
                    "{}",
                    probe.url
                );
                wanted.push((probe.url.to_owned(), probe.method, probe.accept));
            },
            &mut |finding| {
                let said = format!("{} {}", finding.message, finding.fix);
                assert!(!said.chars().any(char::is_control), "{said:?}");
                assert!(finding.evidence.answer.is_none_or(|index| index < answers.len()));
                tally.add(finding.check, finding.status);
            },
        );
        assert!(tally.score().percent() <= 100 && tally.level() <= 5);
        let room = BUDGET - asked.len();
        let count = asked.len();
        for (at, (url, method, accept)) in wanted.into_iter().take(room).enumerate() {
            asked.push((url, method, accept, (count + at) % replies.len()));
        }
        if asked.len() == count {
            break;
        }
    }
}
