//! robots.txt: from bytes to one decision.

use agentsdisc_core::format::robots_txt::RobotsTxt;

use crate::Task;

const AGENT: &str = "heron";
const URL: &str = "https://site.example/catalogue/items?page=2&sort=price";

/// This library and its peers.
pub fn tasks() -> Vec<Task> {
    vec![
        // Any bytes; the decision walks the groups. No heap.
        Task::new("agentsdisc", |bytes| {
            Some(u64::from(RobotsTxt::parse(bytes).allowed(AGENT, URL)))
        }),
        // Any bytes; reads the rules for the agent, prepares patterns, then decides.
        Task::new("texting_robots", |bytes| {
            texting_robots::Robot::new(AGENT, bytes).ok().map(|robot| u64::from(robot.allowed(URL)))
        }),
        // Receives validated UTF-8; walks the text with a matcher.
        Task::new("robotstxt", |bytes| {
            let text = std::str::from_utf8(bytes).ok()?;
            Some(u64::from(
                robotstxt::DefaultMatcher::default().one_agent_allowed_by_robots(text, AGENT, URL),
            ))
        }),
    ]
}
