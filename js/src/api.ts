/** Everything of the entry `agentsdisc`. */
export { ParseError, ConvertError, type Loss } from "./errors.js";
export type { Data, Limits } from "./arguments.js";
export type * from "./model.js";
export * from "./document.js";
export { RobotsTxt, robots } from "./robots-txt.js";
export type { DecidingRule, Preference, PreferenceAnswer, RobotsDecision } from "./robots-txt.js";
export { decide } from "./policy.js";
export type { AppliedLimit, Decision, DecisionAuth, DecisionRule, Request } from "./policy.js";
export { RateLimited, Site, discover } from "./site.js";
export type { Attempt, DiscoverOptions, Found, Freshness, Pointer, SiteParts, Store, StoredAnswer } from "./site.js";
export { forNode, serve } from "./serve.js";
export type { Files, Handler, ServeOptions } from "./serve.js";
