/** Messages to A2A agents: by JSON-RPC (A2A 1.0 and 0.3) and by HTTP+JSON (1.0). */

import { isObject } from "../arguments.js";
import { dumps } from "../json.js";
import type { Decision } from "../policy.js";
import type { Reply } from "../transport.js";
import { repr } from "../visible.js";
import { CallRefused, ClientNeeded } from "./errors.js";
import { HttpRequest, type Operation } from "./request.js";
import { type Asking, type Members, type Talk, type Turn, jsonOf, text } from "./talk.js";

/** The argument that becomes the text of the message; all others become its data. */
const TEXT = "text";
/** Ids of tasks, and tenants, that can be a segment of a URL. */
const SEGMENT = /^(?!\.{1,2}$)[\w.~:-]{0,256}$/;
/** The largest integer that a double keeps, and with it the JSON of Protocol Buffers. */
const LARGEST = 2 ** 53;

/** The requests of one message. */
export class Conversation implements Talk {
  private readonly isRest: boolean;
  private readonly isOld: boolean;

  /** Throws ClientNeeded for another binding, CallRefused for arguments that A2A cannot carry. */
  constructor(
    private readonly operation: Operation,
    decision: Decision,
    capability: string,
  ) {
    const { stated, url, args } = operation;
    const { transport = "jsonrpc", version = "1.0", tenant = "" } = stated;
    this.isRest = transport === "http+json";
    this.isOld = version.startsWith("0.");
    if (!(transport === "jsonrpc" || (this.isRest && !this.isOld))) {
      throw new ClientNeeded(`${repr(capability)} is an operation of A2A by ${transport} at ${url}; use a client of that binding`, decision, operation);
    }
    // Over HTTP+JSON, the tenant becomes a part of the URL.
    if (!SEGMENT.test(tenant)) {
      const said = `${repr(capability)} is not called: the tenant of its agent has characters other than letters, digits and -._~:, or more than 256`;
      throw new CallRefused(said, decision, { refused: "invalid-endpoint" });
    }
    for (const [name, value] of Object.entries(args)) {
      let isExact = true;
      JSON.stringify(value, (_, each: unknown) => {
        if (Number.isInteger(each) && Math.abs(each as number) > LARGEST) isExact = false;
        return each;
      });
      if (isExact) continue;
      const said = `${repr(capability)} is not called: ${repr(name)} has an integer above 2^53, which A2A cannot carry; write it as text`;
      throw new CallRefused(said, decision, { refused: "invalid-value", argument: name });
    }
  }

  begin(): Asking {
    return { request: this.message(), kind: "call" };
  }

  /** The request that sends the message. */
  private message(): HttpRequest {
    const { [TEXT]: said, ...others } = this.operation.args;
    const data = text(said) === undefined && said !== undefined ? { ...others, [TEXT]: said } : others;
    const kind = (name: string) => (this.isOld ? { kind: name } : {});
    const parts: Members[] = text(said) === undefined ? [] : [{ ...kind("text"), text: said }];
    if (Object.keys(data).length > 0 || parts.length === 0) parts.push({ ...kind("data"), data });
    const message = { ...kind("message"), messageId: crypto.randomUUID(), role: this.isOld ? "user" : "ROLE_USER", parts };
    const configuration = this.isOld ? { blocking: false } : { returnImmediately: true };
    return this.request("SendMessage", "message/send", "/message:send", { ...this.tenant, message, configuration });
  }

  /** The request for the state of a task; undefined if the id of the task cannot be a part of a URL. */
  private poll(task: string): HttpRequest | undefined {
    if (!SEGMENT.test(task) || task === "") return undefined;
    const params = { ...this.tenant, id: task };
    return this.request("GetTask", "tasks/get", `/tasks/${task}`, params);
  }

  private get tenant(): Members {
    const { tenant } = this.operation.stated;
    return tenant && !this.isOld ? { tenant } : {};
  }

  private request(method: string, old: string, path: string, params: Members): HttpRequest {
    const headers = [["Content-Type", "application/json"], ["Accept", "application/json"], ["A2A-Version", this.isOld ? "0.3" : "1.0"]] as const;
    const { url, stated } = this.operation;
    if (!this.isRest) {
      const body = dumps({ jsonrpc: "2.0", id: crypto.randomUUID(), method: this.isOld ? old : method, params } as never);
      return new HttpRequest("POST", url, headers, body);
    }
    const tenant = stated.tenant ? `/${stated.tenant}` : "";
    const at = `${url.replace(/\/$/, "")}${tenant}${path}`;
    return method === "GetTask" ? new HttpRequest("GET", at, headers.slice(1)) : new HttpRequest("POST", at, headers, dumps(params as never));
  }

  turn({ body }: Reply): Turn {
    const failed = (why: string, failure = "operation", result?: Members): Turn => ({ failed: why, failure, ...(result && { result }) });
    const members = jsonOf(body);
    if (!isObject(members)) return failed("the answer is not an object");
    if (!this.isRest && isObject(members.error)) return failed(text(members.error.message)?.slice(0, 200) ?? "the answer is an error");
    const found = this.isRest ? members : members.result;
    if (!isObject(found)) return failed("the answer has no `result`");
    const message = this.isOld ? (found.kind === "message" ? found : undefined) : found.message;
    if (isObject(message)) return { result: message, data: dataOf(message) };
    // The state of a task is the task itself; the first answer of 1.0 has a member with it.
    const task = isObject(found.task) ? found.task : found;
    const written = isObject(task.status) ? text(task.status.state) : undefined;
    const id = text(task.id);
    if (written === undefined || id === undefined) return failed("the answer is neither a message nor a task");
    const state = written.replace(/^TASK_STATE_/, "").toLowerCase().replaceAll("_", "-");
    if (state === "completed") return { result: task, data: dataOf(task) };
    if (state !== "submitted" && state !== "working") return failed(`the task is ${state}`, "job", task);
    const request = this.poll(id);
    return request === undefined ? failed("the id of its task has characters other than letters, digits and -._~:", "job", task) : { request, kind: "poll" };
  }
}

/** The members of the data in a message, or in the artifacts of a task. */
function dataOf(result: Members): Members {
  const list = (value: unknown): Members[] => (Array.isArray(value) ? value.filter(isObject) : []);
  const parts = [...list(result.parts), ...list(result.artifacts).flatMap(({ parts: own }) => list(own))];
  return Object.assign({}, ...parts.map(({ data }) => data).filter(isObject)) as Members;
}
