/** Calls of MCP tools over streamable HTTP: of revision 2026-07-28 without a session, of older servers by `initialize`. */

import { isObject } from "../arguments.js";
import { encoded } from "../engine.js";
import { dumps } from "../json.js";
import type { Decision } from "../policy.js";
import type { Reply } from "../transport.js";
import { VERSION } from "../version.js";
import { repr } from "../visible.js";
import { ClientNeeded } from "./errors.js";
import { HttpRequest, type Operation } from "./request.js";
import { type Asking, type Members, type Talk, type Turn, headerOf, jsonOf, text } from "./talk.js";

const [MODERN, OLDER] = ["2026-07-28", "2025-06-18"];
/** The revisions that begin with `initialize` and that we speak. */
const HANDSHAKES = new Set([OLDER, "2025-11-25", "2025-03-26"]);
const MOST_PAGES = 20;
/** Statuses that say something about the caller, whatever the revision. */
const ABOUT_US = new Set([401, 402, 403, 429]);
const META = "io.modelcontextprotocol/";

export class ToolCall implements Talk {
  private stage: "discover" | "initialize" | "initialized" | "list" | "call" = "discover";
  private revision = MODERN;
  private session: string | undefined;
  private pages = 0;
  private id = 0;
  private readonly tool: string;

  /** Throws ClientNeeded for another transport. */
  constructor(
    private readonly operation: Operation,
    private readonly agent: string,
    decision: Decision,
    capability: string,
  ) {
    const { transport } = operation.stated;
    this.tool = operation.operation ?? capability;
    if (transport !== undefined && transport !== "streamable-http" && transport !== "unknown") {
      throw new ClientNeeded(`${repr(capability)} is an operation of MCP by ${transport} at ${operation.url}; use a client of that transport`, decision, operation);
    }
  }

  begin(): Asking {
    return this.handshake("discover", "server/discover");
  }

  /** An older server does not know `server/discover`, and answers a notification with nothing. */
  early(reply: Reply): Asking | undefined {
    const { status } = reply;
    if (this.stage === "initialized") {
      // Whatever the answer to the notification is, the next request shows whether the server works.
      return ABOUT_US.has(status) ? undefined : this.list();
    }
    if (this.stage !== "discover" || ABOUT_US.has(status)) return undefined;
    const error = this.errorOf(reply);
    if (error !== undefined) return this.isOlder(error) ? this.initialize() : undefined;
    return status >= 400 ? this.initialize() : undefined;
  }

  turn(reply: Reply): Turn {
    const message = this.messageOf(reply);
    if (message === undefined) return this.stage === "discover" ? this.initialize() : { failed: "the answer is no message of MCP", failure: "tool" };
    const { result, error } = message;
    if (!isObject(result)) {
      const said = isObject(error) ? text(error.message)?.slice(0, 200) : undefined;
      return { failed: said ?? "the answer is an error", failure: "tool" };
    }
    switch (this.stage) {
      case "discover": {
        const versions = Array.isArray(result.supportedVersions) ? result.supportedVersions : [];
        return versions.includes(MODERN) ? this.list() : this.initialize();
      }
      case "initialize": {
        const revision = text(result.protocolVersion);
        if (revision === undefined || !HANDSHAKES.has(revision)) return { failed: "the server speaks no known revision of MCP", failure: "tool" };
        this.revision = revision;
        this.session = headerOf(reply, "mcp-session-id");
        this.stage = "initialized";
        return { request: this.request("notifications/initialized", {}, {}, true), kind: "handshake" };
      }
      case "list":
        return this.listed(result);
      default:
        return this.called(result);
    }
  }

  end(): HttpRequest | undefined {
    const headers = this.session === undefined ? undefined : this.headers("");
    return headers && new HttpRequest("DELETE", this.operation.url, headers);
  }

  private handshake(stage: typeof this.stage, method: string, params: Members = {}): Asking {
    this.stage = stage;
    return { request: this.request(method, params), kind: "handshake" };
  }

  private initialize(): Asking {
    this.revision = OLDER;
    return this.handshake("initialize", "initialize", { protocolVersion: OLDER, capabilities: {}, clientInfo: this.client });
  }

  private list(cursor?: string): Asking {
    return this.handshake("list", "tools/list", cursor === undefined ? {} : { cursor });
  }

  /** Calls the tool if it is in a page of the list. */
  private listed({ tools, nextCursor }: Members): Turn {
    const list: readonly unknown[] = Array.isArray(tools) ? tools : [];
    const tool = list.filter(isObject).find(({ name }) => name === this.tool);
    if (tool === undefined) {
      this.pages++;
      const cursor = text(nextCursor);
      return cursor !== undefined && this.pages < MOST_PAGES ? this.list(cursor) : { missing: `the server has no tool ${repr(this.tool)}` };
    }
    const headers = this.revision === MODERN ? mirrored(tool.inputSchema, this.operation.args) : {};
    if (headers === undefined) return { missing: `the server defines the headers of its tool ${repr(this.tool)} in a way that is not valid` };
    this.stage = "call";
    const params = { name: this.tool, arguments: this.operation.args };
    return { request: this.request("tools/call", params, { ...(this.revision === MODERN ? { "Mcp-Name": safe(this.tool) } : {}), ...headers }), kind: "call" };
  }

  private called(result: Members): Turn {
    const name = repr(this.tool);
    if (result.resultType !== undefined && result.resultType !== "complete") {
      return { failed: `the tool ${name} asks for input of a person or a model, which a call cannot give`, failure: "tool", result };
    }
    if (result.isError === true) return { failed: `the tool ${name} has failed`, failure: "tool", result };
    return { result, data: result.structuredContent };
  }

  private get client(): Members {
    return { name: this.agent, version: VERSION };
  }

  private headers(method: string): [string, string][] {
    const headers: [string, string][] = [["Content-Type", "application/json"], ["Accept", "application/json, text/event-stream"]];
    if (method !== "initialize") headers.push(["MCP-Protocol-Version", this.revision]);
    if (this.revision === MODERN) headers.push(["Mcp-Method", method]);
    if (this.session !== undefined) headers.push(["Mcp-Session-Id", this.session]);
    return headers;
  }

  private request(method: string, params: Members, more: { readonly [name: string]: string } = {}, isNotification = false): HttpRequest {
    const meta = { [`${META}protocolVersion`]: MODERN, [`${META}clientInfo`]: this.client, [`${META}clientCapabilities`]: {} };
    const all = this.revision === MODERN ? { ...params, _meta: meta } : params;
    const id = isNotification ? {} : { id: ++this.id };
    const body = dumps({ jsonrpc: "2.0", ...id, method, ...(isNotification ? {} : { params: all }) } as never);
    return new HttpRequest("POST", this.operation.url, [...this.headers(method), ...Object.entries(more)], body);
  }

  /** The answer to the last request: the body, or a message of its stream of events. */
  private messageOf(reply: Reply): Members | undefined {
    const isOwn = (each: unknown): each is Members => isObject(each) && each.id === this.id && ("result" in each || "error" in each);
    if (!headerOf(reply, "content-type")?.toLowerCase().startsWith("text/event-stream")) {
      const message = jsonOf(reply.body);
      return isOwn(message) ? message : undefined;
    }
    const events = new TextDecoder().decode(reply.body).split(/\r\n\r\n|\n\n|\r\r/);
    const data = (event: string) => event.split(/\r\n|\n|\r/).flatMap((line) => /^data: ?(.*)$/.exec(line)?.slice(1) ?? []);
    return events.map((event) => jsonOf(data(event).join("\n"))).find(isOwn);
  }

  private errorOf({ body }: Reply): Members | undefined {
    const message = jsonOf(body);
    return isObject(message) && isObject(message.error) ? message.error : undefined;
  }

  /** Whether an error is that of an older server: its code is not of 2026-07-28, or it names only older revisions. */
  private isOlder({ code, data }: Members): boolean {
    if (typeof code !== "number" || code > -32020 || code < -32099) return true;
    const supported: readonly unknown[] = isObject(data) && Array.isArray(data.supported) ? data.supported : [];
    return supported.some((each) => HANDSHAKES.has(each as string));
  }
}

/** A text as the value of a header. */
function safe(value: string): string {
  const isPlain = /^[\x20-\x7e\t]*$/.test(value) && value.trim() === value && !/^=\?base64\?.*\?=$/.test(value);
  return isPlain ? value : `=?base64?${btoa(String.fromCharCode(...encoded(value)))}?=`;
}

/** The arguments that a tool wants as headers, too (`x-mcp-header`); undefined if its schema says so in a way that is not valid. */
function mirrored(schema: unknown, args: unknown): { [name: string]: string } | undefined {
  const [found, names] = [{} as { [name: string]: string }, new Set<string>()];
  const walk = (part: unknown, value: unknown, isReachable: boolean, depth: number): boolean => {
    if (Array.isArray(part)) return part.every((each) => walk(each, undefined, false, depth + 1));
    if (!isObject(part)) return true;
    if (depth > 64) return false;
    const name = part["x-mcp-header"];
    if (name !== undefined) {
      const isPrimitive = ["integer", "string", "boolean"].includes(part.type as string);
      if (!isReachable || !isPrimitive || typeof name !== "string" || !/^[\w!#$%&'*+.^`|~-]+$/.test(name) || names.has(name.toLowerCase())) return false;
      names.add(name.toLowerCase());
      if (typeof value === "string" || typeof value === "boolean" || Number.isSafeInteger(value)) found[`Mcp-Param-${name}`] = safe(String(value));
    }
    return Object.entries(part).every(([key, inner]) => {
      if (key !== "properties" || !isObject(inner)) return key === "x-mcp-header" || key === "default" || key === "const" || key === "enum" || walk(inner, undefined, false, depth + 1);
      const members = isObject(value) ? value : {};
      return Object.entries(inner).every(([own, each]) => walk(each, Object.hasOwn(members, own) ? members[own] : undefined, isReachable, depth + 1));
    });
  };
  return walk(schema, args, true, 0) ? found : undefined;
}
