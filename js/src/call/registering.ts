/** Registers a client at an authorization server (RFC 7591). */

import { isObject } from "../arguments.js";
import { Failed, type Reply, type Sent, reasonOf } from "../transport.js";
import { isValue } from "./options.js";
import { jsonOf } from "./talk.js";
import { saidBy } from "./words.js";

/** The longest id or secret of a client, in characters. */
const LONGEST = 4096;
const METHODS = new Set<unknown>([undefined, null, "none", "client_secret_basic", "client_secret_post"]);

/** The server has not registered the client; the message says why. */
export class Refused extends Error {}

/** A client, as one authorization server knows it. */
export interface Client {
  readonly id: string;
  readonly secret?: string | undefined;
  /** How it authenticates; undefined if the metadata of the server decides. */
  readonly method?: string | undefined;
  /** The URL that receives codes; undefined for a client that acts for itself. */
  readonly redirect?: string | undefined;
  /** The scopes that it is registered for. */
  readonly scope?: string | undefined;
  /** When its secret expires, in seconds since 1970. */
  readonly ends?: number | undefined;
}

const setOf = (scope: string | undefined): string[] => (scope ?? "").split(" ").filter((each) => each !== "");

/** Whether a registered client is still valid, and can ask for these scopes. */
export function fits(client: Client, redirect: string | undefined, scope: string | undefined): boolean {
  const own = setOf(client.scope);
  const isEnough = setOf(scope).every((each) => own.includes(each));
  return client.redirect === redirect && isEnough && Date.now() / 1000 < (client.ends ?? Infinity);
}

/** What is registered: a client for a person, who comes back to `redirect`, or for itself if that is undefined. */
export interface Registration {
  readonly name: string;
  readonly redirect: string | undefined;
  readonly scope: string | undefined;
}

/** Registers a client. `send` sends a POST to the server. Rejects with Refused. */
export async function register({ name, redirect, scope }: Registration, send: (sent: Pick<Sent, "headers" | "content">) => Promise<Reply>): Promise<Client> {
  // A server of OpenID permits a web site only redirects by https, and a native client only others.
  const kind = redirect?.startsWith("https:") ? "web" : "native";
  const asked = {
    ...{ client_name: name, application_type: kind },
    ...(redirect === undefined
      ? { grant_types: ["client_credentials"], token_endpoint_auth_method: "client_secret_basic" }
      : { grant_types: ["authorization_code", "refresh_token"], token_endpoint_auth_method: "none", redirect_uris: [redirect], response_types: ["code"] }),
    ...(scope === undefined ? {} : { scope }),
  };
  let reply: Reply;
  try {
    reply = await send({ headers: [["Content-Type", "application/json"], ["Accept", "application/json"]], content: JSON.stringify(asked) });
  } catch (problem) {
    if (problem instanceof Failed) throw new Refused(reasonOf(problem));
    throw problem;
  }
  if (reply.status !== 200 && reply.status !== 201) throw new Refused(`status ${reply.status}: ${saidBy(reply.body) || "no reason"}`);
  const members = jsonOf(reply.body);
  if (members === undefined) throw new Refused("its answer is not JSON");
  return clientOf(isObject(members) ? members : {}, redirect, scope);
}

/** The client that a server has registered. Throws Refused for one that cannot be used. */
function clientOf(members: { readonly [name: string]: unknown }, redirect: string | undefined, scope: string | undefined): Client {
  const { client_id: id, client_secret: given, redirect_uris: redirects, token_endpoint_auth_method: method, client_secret_expires_at: ends } = members;
  const secret = given ?? undefined;
  if (!isText(id) || !(secret === undefined || isText(secret))) throw new Refused("its answer names no valid client");
  // The server may register something else than it was asked for.
  const isOther = redirects !== undefined && redirects !== null && !(Array.isArray(redirects) && redirects.length === 1 && redirects[0] === redirect);
  if (redirect !== undefined && isOther) throw new Refused("it has registered another redirect");
  if (!METHODS.has(method)) throw new Refused("it wants another way to authenticate than a secret");
  const isPublic = method === "none";
  const isStated = typeof method === "string" && !isPublic;
  if ((secret === undefined && isStated) || (redirect === undefined && (secret === undefined || isPublic))) throw new Refused("its answer has no secret");
  return {
    ...{ id, redirect, scope },
    secret: isPublic ? undefined : secret,
    method: typeof method === "string" ? method : undefined,
    ends: typeof ends === "number" && ends !== 0 ? ends : undefined,
  };
}

const isText = (value: unknown): value is string => isValue(value) && value.length <= LONGEST;
