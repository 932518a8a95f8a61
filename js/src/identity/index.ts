/** Everything of the entry `agentsdisc/identity`: requests that an agent signs and a site checks (Web Bot Auth, RFC 9421). */
export { Directory } from "./directory.js";
export type { DirectoryOptions } from "./directory.js";
export { gate } from "./gate.js";
export type { Admission, GateOptions } from "./gate.js";
export { Key, thumbprint } from "./keys.js";
export type { Jwk, JwkSet } from "./keys.js";
export type { Fields, Message } from "./message.js";
export { Replays } from "./replays.js";
export type { Memory, Refusal } from "./replays.js";
export { Identity, sign } from "./signing.js";
export type { SignOptions } from "./signing.js";
export { reasons, verify } from "./verifying.js";
export type { Verdict, VerifyOptions } from "./verifying.js";
