//! The signs of indexes of agent skills. Those of its list are in [`crate::rules::signs`], because
//! agent cards have such a list, too.

use crate::rules::signs::{Rule, SKILL_FILES, SKILLS};

pub(super) const RULES: &[Rule] = &[Rule::new(SKILL_FILES, 0, (0, 0))];

const THERE: Rule = Rule::new(SKILLS, 0, (0, 0));

pub(super) const PLACED: &[(&str, Rule)] =
    &[("/skills/index.json", THERE), ("/agent-skills/index.json", THERE)];
