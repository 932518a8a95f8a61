/** The core's state machine of one call. Its state is kept here as bytes. */

import { type Argument, engine, now, split, time, wellFormed } from "../engine.js";
import { type Asked, type Decision } from "../policy.js";
import type { Reply } from "../transport.js";
import type { Refusal } from "./errors.js";

/** Where the credential of a step goes. */
export interface Credential {
  readonly for: "service" | "session";
  readonly need: string;
  readonly type: string;
  readonly header?: string;
  readonly prefix?: string;
}

/** What has to be done next (docs/calls.md). */
export interface Plan {
  readonly step: "http" | "client" | "document" | "action" | "token" | "session" | "confirmation";
  readonly url?: string;
  readonly method?: string;
  readonly headers?: readonly { readonly name: string; readonly value: string }[];
  readonly body?: string;
  readonly action?: string;
  readonly ttl_seconds?: number;
  readonly protocol?: string;
  readonly operation?: string;
  readonly arguments?: { readonly [name: string]: unknown };
  readonly transport?: string;
  readonly version?: string;
  readonly openapi?: string;
  readonly tenant?: string;
  readonly credential?: Credential;
  readonly document?: number;
}

/** What an answer means (docs/calls.md). */
export interface Next {
  readonly next: "done" | "retry" | "poll" | "refresh" | "token" | "session" | "recover" | "failed";
  readonly outputs?: readonly { readonly name: string; readonly type?: string; readonly value?: unknown; readonly typed: boolean }[];
  readonly seconds?: number;
  readonly url?: string;
  readonly credential?: boolean;
  readonly code?: string;
  readonly text?: string;
  readonly endpoint?: string;
  readonly action?: string;
  readonly retries?: boolean;
  readonly failure?: string;
}

/** What is known when a step is planned. */
export interface Settings {
  readonly hasCredential?: boolean;
  readonly hasSession?: boolean;
  readonly confirmed?: boolean;
  readonly undeclared?: boolean;
  readonly fromText?: boolean;
  readonly idempotencyKey?: string | undefined;
  readonly operation?: string | undefined;
  /** The answers of actions that ran before. */
  readonly done?: Iterable<readonly [string, Uint8Array]>;
}

/** A decision with the question that led to it. */
export interface Decided {
  readonly decision: Decision;
  readonly asked: Asked;
}

export class Progress {
  private state: Uint8Array = new Uint8Array();

  private ask<T>(name: string, [sources, question]: Asked, ...given: readonly Argument[]): T {
    const [answer] = engine().answer(name, sources, ...question, this.state, ...given);
    const [found, state] = split<T>(answer);
    this.state = state;
    return found;
  }

  /** The next step, or why there is none. `args` is a JSON object. */
  plan({ asked }: Decided, args: string, settings: Settings): Plan | Refusal {
    const { hasCredential, hasSession, confirmed, undeclared, fromText, idempotencyKey, operation, done = [] } = settings;
    const flags = [hasCredential, hasSession, confirmed, undeclared, fromText].map((each) => each === true);
    const texts = [idempotencyKey, operation].map((each) => (each === undefined ? each : wellFormed(each, "\0")));
    const ran = [...done];
    return this.ask("call_plan", asked, wellFormed(args, "\ufffd"), ...flags, ...texts, ran.length, ...ran.flat());
  }

  /** What an answer means. */
  next({ asked }: Decided, { status, headers, body }: Reply, at = now()): Next | Refusal {
    return this.ask("call_next", asked, ...time(at), status, headers.length, ...headers.flat(), body);
  }
}
