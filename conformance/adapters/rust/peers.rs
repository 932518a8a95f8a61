//! The adapters of the crates robotstxt and texting_robots.

use serde_json::{Value, json};

use crate::{Adapter, absolute, document_of};

/// robotstxt, a port of Google's parser.
pub(crate) fn robotstxt() -> Adapter {
    of_robots("robotstxt", |request| {
        let document = document_of(request);
        let (agent, url) = asked(request);
        let allowed = robotstxt::DefaultMatcher::default().one_agent_allowed_by_robots(
            &String::from_utf8_lossy(&document),
            agent,
            &url,
        );
        Some(json!({ "allowed": allowed }))
    })
}

/// texting_robots.
pub(crate) fn texting_robots() -> Adapter {
    of_robots("texting_robots", |request| {
        let document = document_of(request);
        let (agent, url) = asked(request);
        let robot = texting_robots::Robot::new(agent, &document).unwrap();
        Some(json!({ "allowed": robot.allowed(&url) }))
    })
}

fn of_robots(name: &'static str, answer: fn(&Value) -> Option<Value>) -> Adapter {
    let version = version_of(name);
    Adapter { name, version, tasks: &["robots"], formats: &["robots-txt"], answer }
}

fn asked(request: &Value) -> (&str, String) {
    (request["agent"].as_str().unwrap(), absolute(request["url"].as_str().unwrap()))
}

/// The version of a package in the lock file.
fn version_of(name: &str) -> String {
    let lock = include_str!("../../../Cargo.lock");
    let (_, after) = lock.split_once(&format!("name = \"{name}\"\nversion = \"")).unwrap();
    after.split('"').next().unwrap().into()
}
