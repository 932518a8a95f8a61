/** Everything of the entry `agentsdisc/robots`. */
export { ParseError } from "./errors.js";
export type { Data, Limits } from "./arguments.js";
export { RobotsTxt, robots } from "./robots-txt.js";
export type { DecidingRule, Preference, PreferenceAnswer, RobotsDecision } from "./robots-txt.js";
export { decide } from "./policy.js";
export type { AppliedLimit, Decision, DecisionAuth, DecisionRule, Request } from "./policy.js";
