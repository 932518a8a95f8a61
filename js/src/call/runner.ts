/** Makes a call: asks the core for the next step, and does it. */

import { isObject } from "../arguments.js";
import { type Document, parse } from "../document.js";
import { encoded } from "../engine.js";
import { ParseError } from "../errors.js";
import { dumps } from "../json.js";
import { type Decision, type Request, answered, capabilities, question } from "../policy.js";
import type { RobotsTxt } from "../robots-txt.js";
import { sha256 } from "../sha256.js";
import { type Reply, signed, transport } from "../transport.js";
import { beginning, oneLine, repr, visible } from "../visible.js";
import { Conversation } from "./a2a.js";
import { type Challenge, challengeOf, isBeneath, pointer } from "./authorizing.js";
import { type Decided, type Next, type Plan, Progress } from "./core.js";
import {
  CallError,
  type CallFailed,
  CallRefused,
  ClientNeeded,
  ConfirmationRefused,
  ConnectionFailed,
  CredentialsNeeded,
  CredentialsRefused,
  LimitExceeded,
  NotDeclared,
  PolicyDenied,
  PrerequisitesMissing,
  type Refusal,
} from "./errors.js";
import { sharedLimiter } from "./limiter.js";
import { type Args, type Checked, type Question, encodedArgs, hasKey, headersWith, isOAuth2, isValue } from "./options.js";
import { ToolCall } from "./mcp.js";
import type { Caller } from "./oauth.js";
import { paymentRequired } from "./payment.js";
import { Answer, HttpRequest, Operation, type Output, Planned } from "./request.js";
import { Deadline, Sender } from "./sender.js";
import { Describer, isSafe, quoted } from "./openapi.js";
import type { Asking, Talk, Turn } from "./talk.js";
import { type WebSocketClass, classOf } from "./websocket.js";
import { denied, near, renewable, why, withoutToken } from "./words.js";

const [MOST_ACTIONS, MOST_RECOVERIES, MOST_SESSIONS, LONGEST] = [64, 4, 100, 500];
/** Polls of the task of an A2A agent, and the seconds before them. */
const [MOST_POLLS, FIRST_WAIT, LONGEST_WAIT] = [100, 0.5, 10];
/** Statuses after which the server may have done what was asked. */
const UNSURE = new Set([408, 500, 502, 503, 504]);

/** The open sessions of a site, by a digest of endpoint, agent and credentials. */
export type Sessions = Map<string, { readonly token: string; readonly ends: number }>;

/** What a call is about. */
export interface Place {
  readonly documents: readonly Document[];
  /** Documents that allow nothing, but whose restrictions count. */
  readonly unread: readonly Document[];
  readonly origin: string | undefined;
  readonly robots: RobotsTxt | "absent" | "unreachable" | undefined;
  readonly sessions: Sessions;
  readonly allowPrivate: boolean;
  /** What sends the requests of the site, if the caller has given it. */
  readonly fetch: typeof globalThis.fetch | undefined;
  /** Why documents of the site could not be fetched; empty if none is missing. */
  readonly missed: string;
}

type Headers = { readonly [name: string]: string };
/** What ends the talk of a client. */
type Ended = Exclude<Turn, Asking>;

/** Calls a capability. */
export async function run(place: Place, capability: string, args: Args, options: Checked): Promise<Answer | Planned> {
  encodedArgs(capability, args);
  for (const [action, each] of Object.entries(options.before ?? {})) encodedArgs(action, each);
  const runner = new Runner(place, options);
  try {
    runner.notify(capability);
    return await (options.dryRun ? runner.planned(capability, args) : runner.called(capability, args));
  } catch (problem) {
    throw problem instanceof CallError ? runner.withSteps(problem) : problem;
  }
}

/** The site for its limiter: the origin in one spelling. Without one, the same documents, as the site that a document names may be another one's. */
function siteOf({ origin, documents }: Place): string {
  if (!origin) return sha256(encoded(documents.map((each) => sha256(each.bytes)).join()));
  return URL.canParse(origin) ? new URL(origin).origin : origin;
}

class Runner {
  private readonly documents: Document[];
  private readonly sender: Sender;
  private readonly deadline: Deadline;
  private readonly done: Map<string, Uint8Array>;
  private readonly tokens = new Map<string, string | null | undefined>();
  /** The actions that run, the innermost last. */
  private readonly open: string[] = [];
  /** What a person has agreed to before it runs. */
  private readonly ahead = new Set<string>();
  private readonly recovered: string[] = [];
  private readonly described: Describer;
  private session: string | undefined;
  private job: string | undefined;
  private top = "";

  constructor(
    private readonly place: Place,
    private readonly options: Checked,
  ) {
    this.documents = [...place.documents];
    this.done = new Map(options.done.map((action) => [action, new Uint8Array()]));
    this.deadline = new Deadline(options.timeout ?? 60, options.signal);
    const limiter = options.limiter ?? sharedLimiter(siteOf(place), options.agent);
    const origin = place.origin ?? place.documents.map(({ service }) => service?.url).find((url) => url);
    const isPrivate = options.allowPrivate ?? place.allowPrivate;
    const named = isPrivate ? [...(origin === undefined ? [] : [origin]), ...options.approve] : [];
    this.sender = new Sender(signed(transport(options.fetch ?? place.fetch), options.identity), options, this.deadline, limiter, named);
    this.described = new Describer({
      ...{ sender: this.sender, origin: place.origin, site: origin },
      decide: (capability, before) => this.decided(capability, before),
      plan: (decided, args) => this.plan(new Progress(), decided, args, true),
    });
  }

  /** The error with all steps of the call. After something was sent, a refusal becomes CallFailed. */
  withSteps(problem: CallError): CallError {
    let said = problem;
    if ((problem instanceof CallRefused || problem instanceof CredentialsRefused) && this.sender.hasSent) {
      said = this.sender.failure(problem.message.replace("is not called", "has failed"), problem.decision, this.sender.last, { failure: "refused" });
      said.cause = problem;
    }
    said.steps = [...this.sender.steps];
    said.job = this.job;
    return said;
  }

  notify(name: string): void {
    this.options.notice?.(this.decided(name).decision);
  }

  private request(more: Pick<Request, "capability" | "url" | "method">): Request {
    const { agent, approve } = this.options;
    return { agent, robots: this.place.robots, origin: this.place.origin, approved: approve, ...more };
  }

  private get all(): Document[] {
    return [...this.documents, ...this.place.unread];
  }

  private decided(capability: string, ...before: Document[]): Decided {
    const asked = question([...before, ...this.all], this.request({ capability }));
    return { asked, decision: answered(asked) };
  }

  /** The decision about a capability. Throws if it is denied. */
  private decide(capability: string): Decided {
    const found = this.decided(capability);
    const { decision } = found;
    if (decision.allowed || this.hasOpenHost(decision)) return found;
    const error = denied(decision, `${this.subject(capability)} is not called`);
    if (decision.reason !== "unknown-capability") throw error;
    const said = `${error.message}${near(capability, this.documents)}`;
    throw this.place.missed ? new NotDeclared(`${said}; ${this.place.missed}`, decision) : new PolicyDenied(said, decision);
  }

  /** Whether an argument determines the host of the service. The core then decides with that argument. */
  private hasOpenHost(decision: Decision): boolean {
    return decision.reason === "invalid-endpoint" && this.documents.some(({ format, service }) => format === "adp" && service?.url?.includes("{"));
  }

  /** The next step of the core, as if the actions `assumed` had run. */
  private plan(progress: Progress, decided: Decided, args: Args, confirmed: boolean, assumed: readonly string[] = []): Plan {
    const { credentials, headers, idempotencyKey, undeclared, fromText } = this.options;
    const action = this.open.at(-1);
    const nothing = new Uint8Array();
    const step = progress.plan(decided, encodedArgs(decided.decision.capability ?? "", args), {
      hasCredential: credentials !== undefined || hasKey(headers),
      hasSession: this.session !== undefined,
      confirmed,
      undeclared: undeclared === true,
      fromText: fromText === true,
      // An action that runs first has its own key.
      idempotencyKey: idempotencyKey === undefined || action === undefined ? idempotencyKey : `${idempotencyKey}:${quoted(action)}`,
      done: [...this.done, ...assumed.map((each) => [each, nothing] as const)],
    });
    if (!("refused" in step)) return step;
    throw this.refusal(step, decided.decision);
  }

  /** What is not called, for a message; for an action also the call that requires it. */
  private subject(name: string): string {
    if (this.open.length === 0 || this.sender.hasSent) return repr(name);
    return `${repr(name)}, which the site requires before ${repr(this.top)},`;
  }

  private refusal(step: Refusal, decision: Decision): CallError {
    let about = `${this.subject(decision.capability ?? "")} is not called: ${step.message}`;
    if (step.argument !== undefined) about += `: ${step.argument || "''"}`;
    if (step.expected) about += ` (expected: ${step.expected})`;
    if (step.rule !== undefined && step.refused === "denied") about += ` (${step.rule.text})`;
    return step.refused === "unsafe-credential" ? new CredentialsRefused(about, decision) : new CallRefused(about, decision, step);
  }

  /** What would be sent first. */
  async planned(capability: string, args: Args): Promise<Planned> {
    const progress = new Progress();
    const seen = new Set<string>();
    const { agent, headers, credentials } = this.options;
    for (;;) {
      const decided = this.decide(capability);
      const { decision } = decided;
      let step = this.plan(progress, decided, args, true);
      // A description is part of discovery: without it, the request is not known.
      if (step.step === "document" && !seen.has(step.url!)) {
        seen.add(step.url!);
        await this.read(step, decision, capability);
        continue;
      }
      step = await this.readable(step, decision, capability);
      let request = step.step === "http" || step.step === "client" ? sentBy(step) : undefined;
      if (request instanceof Operation && request.protocol === "graphql") request = graphqlRequest(request, decision, capability);
      const { credential } = step;
      const isNamed = credential !== undefined && (credentials !== undefined || credential.for === "session");
      const first = request === undefined ? step.step : undefined;
      const detail = request === undefined ? (step.url ?? step.action) : undefined;
      const own = credential === undefined ? [] : Object.keys(headers ?? {});
      return new Planned(capability, first, detail, request, isNamed ? (credential.header ?? "Authorization") : undefined, decision, agent, own);
    }
  }

  /** A step, for an operation of OpenAPI its request. */
  private async readable(step: Plan, decision: Decision, capability: string): Promise<Plan> {
    if (step.step !== "client" || step.protocol !== "openapi") return step;
    return this.described.request(sentBy(step) as Operation, step.credential, decision, capability);
  }

  /** Calls a capability. */
  called(name: string, args: Args): Promise<Answer> {
    this.top = name;
    return this.perform(name, args);
  }

  /** Calls a capability, after what it requires. */
  private async perform(capability: string, args: Args): Promise<Answer> {
    const progress = new Progress();
    let confirmed = false;
    const seen = new Set<string>();
    for (;;) {
      this.deadline.check();
      const decided = this.decide(capability);
      const { decision } = decided;
      const step = this.plan(progress, decided, args, confirmed);
      const isFirst = this.open.length === 0 && !this.sender.hasSent;
      switch (step.step) {
        case "confirmation": {
          const asked = this.question(decision, args, await this.checkStep(decided, capability, args));
          this.sender.checkRoom(decision, capability);
          if (isFirst) await this.checkAhead(first(decision), undefined, asked);
          else await this.consent(asked, capability, this.open.length === 0);
          confirmed = true;
          break;
        }
        case "document":
          if (seen.has(step.url!)) throw this.sender.failure(`${repr(capability)} is not called: ${step.url} does not describe it`, decision, undefined);
          seen.add(step.url!);
          await this.read(step, decision, capability);
          break;
        case "action":
          if (isFirst) await this.checkAhead(first(decision), () => this.checkStep(decided, capability, args));
          await this.act(step.action!);
          break;
        case "token":
          throw withoutToken(decision);
        case "session":
          await this.openSession(step, decision, capability);
          break;
        default: {
          const answer = await this.sent(progress, step, decided, capability);
          if (answer !== undefined) return answer;
        }
      }
    }
  }

  /** Calls an action that has to run first. Its answer is kept. */
  private async act(action: string): Promise<void> {
    if (this.open.includes(action) || action === this.top || this.done.size >= MOST_ACTIONS) throw new LimitExceeded(`the actions before ${repr(action)} have no end`);
    this.open.push(action);
    // A job goes on while an action runs for it.
    const { job } = this;
    this.notify(action);
    const answer = await this.perform(action, this.options.before?.[action] ?? {});
    this.job = job;
    this.open.pop();
    this.done.set(action, answer.body);
  }

  /**
   * Checks the actions before a call and the call itself, and then asks a person about the call, if there is a question, and about each action. Nothing is
   * sent before.
   */
  private async checkAhead(actions: readonly string[], checkCall?: () => Promise<unknown>, asked?: Question): Promise<void> {
    const questions: [Question, string][] = [];
    for (const action of actions) {
      if (this.done.has(action)) continue;
      this.open.push(action);
      const decided = this.decide(action);
      const { decision } = decided;
      const given = this.options.before?.[action] ?? {};
      if (isAsked(decision) && typeof this.options.confirm !== "function") throw unconfirmed(action, decision);
      const request = await this.checkStep(decided, action, given);
      this.sender.checkRoom(decision, action);
      this.open.pop();
      questions.push([this.question(decision, given, request), action]);
    }
    await checkCall?.();
    if (asked !== undefined) await this.consentAhead(asked, this.top, true);
    for (const [each, action] of questions) await this.consentAhead(each, action, false);
  }

  /** What a step will send; undefined if that is not known yet. Also plans the step as if the actions before it had run. */
  private async checkStep(decided: Decided, name: string, args: Args): Promise<HttpRequest | Operation | undefined> {
    const { decision } = decided;
    let step = this.plan(new Progress(), decided, args, true);
    if (step.step === "token") throw withoutToken(decision);
    await this.credentials(step, decision);
    try {
      if (step.step === "action") step = this.plan(new Progress(), decided, args, true, first(decision));
      step = await this.readable(step, decision, name);
    } catch (problem) {
      // An action before this step may supply the argument.
      if (!(problem instanceof CallRefused) || problem.problem !== "missing-argument" || first(decision).length === 0) throw problem;
      return undefined;
    }
    if (step.step === "client") return this.clientRequest(step, decision, name);
    return step.step === "http" ? sentBy(step) : undefined;
  }

  /** What a step sends by another protocol: for MCP and A2A the operation, of which `talkOf` makes the requests. */
  private clientRequest(step: Plan, decision: Decision, name: string): HttpRequest | Operation {
    const operation = sentBy(step) as Operation;
    if (this.open.length > 0 && !(name in (this.options.before ?? {}))) {
      // The parameters of other protocols are not known, so an action runs only if the caller gives its arguments.
      throw new PrerequisitesMissing(`the site requires first: ${name}, whose arguments are not given`, decision, [name]);
    }
    if (operation.protocol === "graphql") return graphqlRequest(operation, decision, name);
    if (operation.protocol === "websocket") this.socketOf(operation, decision, name);
    else this.talkOf(operation, decision, name);
    return operation;
  }

  /** The client of an operation. */
  private talkOf(operation: Operation, decision: Decision, name: string): Talk {
    if (operation.protocol === "a2a") return new Conversation(operation, decision, name);
    if (operation.protocol === "mcp") return new ToolCall(operation, this.options.agent, decision, name);
    throw clientNeeded(operation, decision, name);
  }

  /** The class that sends a message over a WebSocket. */
  private socketOf(operation: Operation, decision: Decision, name: string): WebSocketClass {
    if (!isSafe(operation.url.replace(/^ws/i, "http"), this.place.origin)) {
      throw new CallRefused(`${repr(name)} is not called: the server ${operation.url} is not encrypted`, decision, { refused: "invalid-endpoint" });
    }
    const { WebSocket: given, fetch = this.place.fetch } = this.options;
    return classOf(given, fetch !== undefined, operation, decision, name);
  }

  /** The question to a person about a step. */
  private question(decision: Decision, args: Args, request: HttpRequest | Operation | undefined): Question {
    const declared = this.documents.flatMap(({ capabilities: all }) => all.filter(({ id }) => id === decision.capability));
    const description = declared.find((each) => each.description)?.description;
    const about = { ...decision, site: this.place.origin, args: { ...args }, request, description };
    return Object.defineProperty(about, "toString", { value: () => inWords(about) }) as Question;
  }

  /** Asks, unless the answer is known. `confirm: true` confirms only the call itself, not the actions before it. */
  private async consent(asked: Question, name: string, isCall: boolean): Promise<void> {
    if (this.ahead.delete(name)) return;
    const { confirm } = this.options;
    if (confirm === true && isCall) return;
    if (typeof confirm !== "function") throw unconfirmed(name, asked);
    const agreed = await this.deadline.paused(() => confirm(asked, name, asked.args));
    if (agreed !== true) throw new ConfirmationRefused(`a person ${asked.human?.confirmation} be asked before ${repr(name)} is called, and did not agree`, asked);
  }

  /** Asks about a later step, if the site requires confirmation. The answer is valid for one run of that step. */
  private async consentAhead(asked: Question, name: string, isCall: boolean): Promise<void> {
    if (!isAsked(asked)) return;
    await this.consent(asked, name, isCall);
    this.ahead.add(name);
  }

  /** Fetches a document that describes the capability. */
  private async read(step: Plan, decision: Decision, capability: string): Promise<void> {
    const url = step.url!;
    const reply = await this.sender.send(new HttpRequest("GET", url, [["Accept", "application/json"]]), decision, capability, "document");
    const what = `the description of ${repr(capability)} at ${url}`;
    if (!isSuccess(reply)) throw this.sender.failure(`${what} has status ${reply.status}`, decision, reply);
    const asking = this.all[step.document!];
    try {
      this.documents.push(parse(reply.body, { url, format: asking?.format === "adp" ? "adp-capability" : "agents-json-0.1" }));
    } catch (problem) {
      if (problem instanceof ParseError) throw this.sender.failure(`${what} cannot be read: ${problem.message}`, decision, reply);
      throw problem;
    }
  }

  private async openSession(step: Plan, decision: Decision, capability: string): Promise<void> {
    const { sessions } = this.place;
    const sent = await this.credentials(step, decision);
    const key = sha256(encoded(JSON.stringify([step.url, this.options.agent, Object.entries(sent).sort()])));
    const known = sessions.get(key);
    if (known !== undefined && performance.now() < known.ends) {
      this.session = known.token;
      return;
    }
    const reply = await this.sender.send(new HttpRequest(step.method!, step.url!), decision, capability, "session", sent);
    const opened = isSuccess(reply) ? openedBy(reply.body, step.ttl_seconds ?? 0) : undefined;
    if (opened === undefined) {
      throw this.sender.failure(`${step.url} opens no session: it answers ${reply.status} without a \`session_token\``, decision, reply);
    }
    this.session = opened.token;
    while (sessions.size >= MOST_SESSIONS) sessions.delete(sessions.keys().next().value!);
    sessions.set(key, { token: opened.token, ends: performance.now() + opened.seconds * 1000 });
  }

  /** The headers with the credentials of a step: none if none may be sent. */
  private async credentials({ credential, url = "" }: Plan, decision: Decision, renew = false): Promise<Headers> {
    const { headers, credentials: given } = this.options;
    const name = decision.capability ?? "";
    if (credential === undefined) {
      // A server that the documents do not say to need a token, but that has asked for one before.
      if (!isOAuth2(given) || decision.credentials !== "allowed" || !given.knows(url)) return {};
      return this.tokenHeaders(name, await this.deadline.of(given.tokenFor(url, decision, this.caller)));
    }
    let token: string | null | undefined = this.session;
    if (credential.for !== "session") {
      // Tokens are kept for each capability, because actions before the call can belong to another server.
      if (!this.tokens.has(name) || renew) this.tokens.set(name, await this.obtained(url, decision, this.tokens.get(name)));
      token = this.tokens.get(name);
    }
    // The server may say where to get a token, if nobody else does.
    const isMissing = (token === undefined || token === null) && !isOAuth2(given);
    if (isMissing && !hasKey(headers) && credential.need === "required") {
      throw new CredentialsNeeded(`${repr(name)} needs credentials, and \`credentials\` returned none`, decision);
    }
    return headersWith(token, headers, credential);
  }

  /** The headers with a bearer token that a server has asked for. */
  private tokenHeaders(capability: string, token: string | undefined): Headers {
    this.tokens.set(capability, token);
    return headersWith(token, this.options.headers, { for: "service", need: "required", type: "oauth2" });
  }

  /** The token of the caller for a decision. `before` is the one that the server has not accepted. */
  private async obtained(url: string, decision: Decision, before: string | null | undefined): Promise<string | null | undefined> {
    const { credentials: given } = this.options;
    if (given === undefined || typeof given === "string") return given;
    if (typeof given === "function") return this.deadline.of(given(decision));
    given.reject(before);
    return this.deadline.of(given.tokenFor(url, decision, this.caller));
  }

  /** The headers with a token that the server at a URL asks for; undefined if nothing can be done about its refusal. */
  private async authorized(step: Plan, decision: Decision, challenge: Challenge, url: string): Promise<Headers | undefined> {
    const { credentials: given } = this.options;
    // The rule for every credential: only where the decision allows it, and to the origin that it is about.
    const isSafe = decision.credentials === "allowed" && isBeneath(url, new URL("/", step.url).href);
    if (!isOAuth2(given) || step.credential?.for === "session" || !isSafe) return undefined;
    const name = decision.capability ?? "";
    if (!challenge.isForMore) given.reject(this.tokens.get(name));
    const token = await this.deadline.of(given.authorize(challenge, url, decision, this.caller));
    return token === undefined ? undefined : this.tokenHeaders(name, token);
  }

  private get caller(): Caller {
    const { agent } = this.options;
    const { origin, documents } = this.place;
    return {
      ...{ agent, origin, site: origin ?? documents.map(({ service }) => service?.url).find((url) => url) },
      ...{ named: this.sender.named, send: this.sender.transport },
      maySend: (url, approved) => answered(question(this.all, { agent, origin, approved, url, method: "POST" })).credentials === "allowed",
      within: (seconds) => this.deadline.within(seconds),
    };
  }

  /** Sends a request until it has an answer. Returns undefined if it must be planned again. */
  private async sent(progress: Progress, planned: Plan, decided: Decided, capability: string): Promise<Answer | undefined> {
    const { decision } = decided;
    const step = await this.readable(planned, decision, capability);
    const sent = step.step === "client" ? this.clientRequest(step, decision, capability) : (sentBy(step) as HttpRequest);
    if (sent instanceof Operation && sent.protocol === "websocket") return this.messaged(progress, sent, decided, capability, await this.credentials(step, decision));
    const talk = sent instanceof Operation ? this.talkOf(sent, decision, capability) : undefined;
    const isGraphql = step.step === "client" && talk === undefined;
    const begun = talk?.begin();
    let request = begun?.request ?? (sent as HttpRequest);
    let [polls, pause] = [0, FIRST_WAIT];
    let credentials = await this.credentials(step, decision);
    let renewal: string | undefined;
    let lost: ConnectionFailed | undefined;
    let [kind, waited, isBare] = [begun?.kind ?? "call", 0, false] as [string, number, boolean];
    /** The statuses of the refusals that were followed: each once, so that nobody is asked again and again. */
    const followed = new Set<number>();
    const again = () => (kind === "poll" ? "poll" : "retry");
    const failed = (next: Next, reply: Reply): CallError => {
      if (lost !== undefined) return lost;
      const stated = reply.status === 401 ? renewable(renewal) : "";
      const hint = stated || (followed.size > 0 ? "" : pointer(reply));
      const more = { failure: next.failure ?? "recovery", recovery: next.next === "recover" ? { ...next } : undefined };
      return this.sender.failure(`${repr(capability)} has failed: ${why(next, reply.status)}${hint}`, decision, reply, more);
    };
    for (;;) {
      const [reply, problem] = await this.once(request, decision, capability, kind, isBare ? {} : credentials, waited);
      [lost, waited] = [problem, 0];
      const challenge = isBare || followed.has(reply.status) ? undefined : challengeOf(reply);
      const wanted = challenge && (await this.authorized(step, decision, challenge, request.url));
      if (wanted !== undefined) {
        followed.add(reply.status);
        credentials = wanted;
        kind = again();
        continue;
      }
      const payment = paymentRequired(capability, decision, reply);
      if (payment !== undefined) throw payment;
      const early = talk?.early?.(reply);
      if (early !== undefined) {
        ({ request, kind } = early);
        continue;
      }
      // A poll is safe to send again, even if the core has not planned it.
      const next = progress.next(decided, kind === "poll" && UNSURE.has(reply.status) ? { ...reply, status: 429 } : reply);
      if ("refused" in next) {
        throw this.sender.failure(`${repr(capability)} was called, but not followed to its end: ${next.message}`, decision, reply, { failure: "refused" });
      }
      switch (next.next) {
        case "done":
          this.job = undefined;
          if (talk !== undefined) {
            const turn = talk.turn(reply);
            if (!("request" in turn)) return await this.ended(progress, decided, capability, reply, talk, turn, () => this.credentials(step, decision));
            ({ request, kind } = turn);
            if (kind !== "poll") break;
            if (polls++ >= MOST_POLLS) throw new LimitExceeded(`the task of ${repr(capability)} has not ended after ${MOST_POLLS} polls`, decision);
            waited = await this.sender.pause(pause, decision, capability);
            pause = Math.min(pause * 1.5, LONGEST_WAIT);
            break;
          }
          if (isGraphql && kind !== "poll") return this.graphqlAnswer(progress, decided, capability, reply);
          return this.answer(capability, decision, reply, next);
        case "retry":
          waited = await this.sender.pause(next.seconds!, decision, capability);
          kind = again();
          break;
        case "refresh":
        case "token":
          if (followed.has(401)) throw failed(next, reply);
          renewal = next.url;
          if (typeof this.options.credentials !== "function" && !isOAuth2(this.options.credentials)) {
            throw new CredentialsNeeded(`${repr(decision.capability ?? "")}: the server does not accept the credentials${renewable(next.url)}${pointer(reply)}`, decision);
          }
          // The request is sent again once, even if the credential is the same.
          credentials = await this.credentials(step, decision, true);
          kind = again();
          break;
        case "poll":
          if (next.url !== undefined) request = new HttpRequest("GET", next.url);
          this.job = request.url;
          kind = "poll";
          isBare = next.credential !== true;
          waited = await this.sender.pause(next.seconds!, decision, capability);
          break;
        case "session":
          for (const [key, { token }] of this.place.sessions) if (token === this.session) this.place.sessions.delete(key);
          this.session = undefined;
          return undefined;
        case "recover":
          if (!next.retries) throw failed(next, reply);
          waited = await this.recover(next, decision, capability, reply);
          kind = again();
          break;
        default:
          throw failed(next, reply);
      }
    }
  }

  /** Sends a message over a WebSocket. */
  private async messaged(progress: Progress, operation: Operation, decided: Decided, capability: string, credentials: Headers): Promise<Answer> {
    const { decision } = decided;
    const isChecked = (this.options.fetch ?? this.place.fetch) === undefined;
    const body = await this.sender.message(this.socketOf(operation, decision, capability), isChecked, operation, decision, capability, credentials);
    const next = progress.next(decided, { status: 200, headers: [], body });
    return new Answer(capability, undefined, [], body, "refused" in next ? [] : outputsOf(next), [...this.sender.steps], decision);
  }

  /** Sends once. A poll without an answer counts as status 504, because it is safe to send again. */
  private async once(request: HttpRequest, decision: Decision, capability: string, kind: string, credentials: Headers, waited: number): Promise<[Reply, ConnectionFailed | undefined]> {
    try {
      return [await this.sender.send(request, decision, capability, kind, credentials, waited), undefined];
    } catch (problem) {
      if (!(problem instanceof ConnectionFailed) || kind !== "poll") throw problem;
      return [{ status: 504, headers: [], body: new Uint8Array() }, problem];
    }
  }

  /** The answer of a client of another protocol. */
  private async ended(progress: Progress, decided: Decided, capability: string, reply: Reply, talk: Talk, turn: Ended, credentials: () => Promise<Headers>): Promise<Answer> {
    const { decision } = decided;
    const last = talk.end?.();
    if (last !== undefined) {
      try {
        await this.sender.send(last, decision, capability, "handshake", await credentials());
      } catch (problem) {
        // The call has ended, whether the server knows that or not.
        if (!(problem instanceof CallError)) throw problem;
      }
    }
    if ("missing" in turn) throw new NotDeclared(turn.missing, decision);
    const body = "result" in turn && turn.result !== undefined ? encoded(JSON.stringify(turn.result)) : reply.body;
    if ("failed" in turn) throw this.sender.failure(`${repr(capability)} has failed: ${turn.failed}`, decision, { ...reply, body }, { failure: turn.failure });
    const next = isObject(turn.data) ? progress.next(decided, { status: 200, headers: [], body: encoded(JSON.stringify(turn.data)) }) : undefined;
    return this.answer(capability, decision, { ...reply, body }, next === undefined || "refused" in next ? { next: "done" } : next);
  }

  private answer(capability: string, decision: Decision, { status, headers, body }: Reply, next: Next): Answer {
    return new Answer(capability, status, headers, body, outputsOf(next), [...this.sender.steps], decision);
  }

  private graphqlAnswer(progress: Progress, decided: Decided, capability: string, reply: Reply): Answer {
    type Result = { readonly data?: unknown; readonly errors?: readonly { readonly message?: unknown }[] } | null;
    let result: Result = null;
    try {
      result = JSON.parse(new TextDecoder().decode(reply.body)) as Result;
    } catch {
      // It is no answer of GraphQL.
    }
    const { data = null, errors } = isObject(result) ? result : {};
    if (data === null || (errors && Object.keys(errors).length > 0)) {
      const message = Array.isArray(errors) ? (errors[0] as { message?: unknown } | null)?.message : undefined;
      const said = typeof message === "string" ? message.slice(0, 200) : "the answer has no `data`";
      throw this.sender.failure(`${repr(capability)} has failed: ${said}`, decided.decision, reply, { failure: "operation" });
    }
    const next = isObject(data) ? progress.next(decided, { status: 200, headers: [], body: encoded(JSON.stringify(data)) }) : undefined;
    return this.answer(capability, decided.decision, reply, next === undefined || "refused" in next ? { next: "done" } : next);
  }

  /** Does what the document says about an error, once for each action and URL, and returns the seconds that it waited. */
  private async recover(next: Next, decision: Decision, capability: string, reply: Reply): Promise<number> {
    const failed = (reason: string, failure = "recovery"): CallFailed =>
      this.sender.failure(`${repr(capability)} has failed: ${why(next, reply.status)} (${reason})`, decision, reply, { failure, recovery: { ...next } });
    const { url } = next;
    let { action } = next;
    if (action === undefined && next.endpoint) {
      if (url === undefined) throw failed("that endpoint cannot be requested");
      action = capabilities(this.all, this.request({})).find((each) => each.decision.endpoint === url)?.id;
    }
    const what = action ?? url ?? "";
    if (this.recovered.includes(what) || this.recovered.length >= MOST_RECOVERIES) throw failed("it did not help", "too-many-recoveries");
    this.recovered.push(what);
    const waited = next.seconds ? await this.sender.pause(next.seconds, decision, capability) : 0;
    if (action !== undefined) {
      await this.act(action);
      return waited;
    }
    if (!url) return waited;
    if (/\b(?:POST|PUT|PATCH|DELETE)\b/.test(next.text ?? "")) throw failed("no action declares that endpoint, so only GET is sent there");
    const permission = answered(question(this.all, this.request({ url, method: "GET" })));
    if (!permission.allowed || permission.credentials !== "allowed") {
      throw failed(`${url} is not requested: ${permission.allowed ? "other-origin" : permission.reason}`);
    }
    const done = await this.sender.send(new HttpRequest("GET", url), decision, capability, "action", {}, waited);
    if (!isSuccess(done)) throw failed(`${url} has status ${done.status}`);
    return 0;
  }
}

const isSuccess = ({ status }: Reply): boolean => status >= 200 && status < 300;
const isAsked = (decision: Decision): boolean => decision.human !== undefined && decision.human.confirmation !== "not-stated";
/** The actions that have to run first; none if they cannot be read, because the core then refuses the call. */
const first = (decision: Decision): readonly string[] =>
  decision.prerequisites_unknown || decision.prerequisite_cycle?.length ? [] : (decision.prerequisites ?? []);

/** The error for a call that a person would have to confirm. */
const unconfirmed = (name: string, decision: Decision): ConfirmationRefused =>
  new ConfirmationRefused(`a person ${decision.human?.confirmation} be asked before ${repr(name)} is called; give \`confirm\` a function that asks one`, decision);

/** The question in words. */
function inWords({ capability, site, description, request, args, human }: Omit<Question, "toString">): string {
  const short = (text: string) => beginning(oneLine(text), LONGEST);
  const lines = [`call ${capability ?? "a tool"}${site ? ` of ${site}` : ""}`];
  if (description) lines.push(`the site says: ${short(description)}`);
  if (request !== undefined) lines.push(`sends: ${short(request.withoutSecrets().words())}`);
  const given = Object.entries(args).map(([name, value]) => `${name} = ${dumps(value as never, undefined, false)}`);
  if (given.length > 0) lines.push(`arguments: ${short(given.join(", "))}`);
  const effects = [
    ...(human?.sensitivity === undefined ? [] : [`its effect: ${human.sensitivity}`]),
    ...(human?.reversible === undefined ? [] : [`it can${human.reversible ? "" : "not"} be undone`]),
    ...(human?.handoff ? ["a person completes it"] : []),
  ];
  lines.push([`a person ${human?.confirmation} be asked`, ...effects].join("; "));
  return lines.map((line) => visible(line)).join("\n");
}

/** The token of an answer that opens a session, and its lifetime: at most the one that the document states. */
function openedBy(body: Uint8Array, seconds: number): { token: string; seconds: number } | undefined {
  let members: unknown;
  try {
    members = JSON.parse(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
  if (!isObject(members)) return undefined;
  const { session_token: token, expires_in: own } = !("session_token" in members) && isObject(members.data) ? members.data : members;
  const lifetime = typeof own === "number" && own >= 0 ? Math.min(seconds, own) : seconds;
  return isValue(token) ? { token, seconds: lifetime } : undefined;
}

const outputsOf = ({ outputs = [] }: Next): Output[] => outputs.map(({ name, type, value, typed }) => ({ name, type, value, typed }));

/** What a step of the core sends. */
function sentBy(step: Plan): HttpRequest | Operation {
  if (step.step === "http") {
    return new HttpRequest(step.method!, step.url!, (step.headers ?? []).map(({ name, value }) => [name, value] as const), step.body);
  }
  const { protocol, url, operation, arguments: args = {}, ...rest } = step;
  const stated = Object.fromEntries(Object.entries(rest).filter(([name]) => ["transport", "version", "openapi", "method", "tenant"].includes(name)));
  return new Operation(protocol!, url!, operation, args, stated);
}

function clientNeeded(operation: Operation, decision: Decision, capability: string): ClientNeeded {
  const { protocol, url } = operation;
  const which = protocol === "unknown" ? "another protocol" : protocol === "openapi" ? "OpenAPI" : protocol;
  return new ClientNeeded(`${repr(capability)} is an operation of ${which} at ${url}; use a client of that protocol`, decision, operation);
}

/** The request for the GraphQL operation in the argument `query`; the other arguments are its variables (GraphQL over HTTP). */
function graphqlRequest(operation: Operation, decision: Decision, capability: string): HttpRequest {
  const { query, ...others } = operation.args;
  if (typeof query !== "string") {
    const said = `${repr(capability)} is not called: GraphQL needs the argument \`query\`, the text of the operation`;
    throw new CallRefused(said, decision, { refused: "missing-argument", argument: "query" });
  }
  let variables: unknown = others;
  const { variables: own, ...more } = others;
  if (isObject(own)) {
    const [other] = Object.keys(more).sort();
    if (other !== undefined) {
      const said = `${repr(capability)} is not called: write ${repr(other)} in \`variables\`, or give all variables as arguments`;
      throw new CallRefused(said, decision, { refused: "unknown-argument", argument: other });
    }
    variables = own;
  }
  const body = dumps({ query, variables, ...(operation.operation === undefined ? {} : { operationName: operation.operation }) } as never);
  const headers = [["Content-Type", "application/json"], ["Accept", "application/graphql-response+json, application/json"]] as const;
  return new HttpRequest("POST", operation.url, headers, body);
}
