/** Sends one message over a WebSocket (RFC 6455), with the class of the platform or of the caller. */

import { encoded } from "../engine.js";
import { Failed, addressCheck } from "../transport.js";
import { dumps } from "../json.js";
import { ClientNeeded } from "./errors.js";
import type { Decision } from "../policy.js";
import { repr } from "../visible.js";
import type { Operation } from "./request.js";

/** What the client needs of a WebSocket. */
interface Socket {
  binaryType: string;
  send(data: string): void;
  close(): void;
  /** Ends the connection at once, in the package `ws`. */
  terminate?(): void;
  addEventListener(type: "open" | "message" | "error" | "close", listener: (event: { data?: unknown; code?: number; message?: string; error?: { code?: unknown } }) => void): void;
}

/** A class with the interface of WebSocket. Those of Node, Bun, Deno and the package `ws` take headers as the second argument. */
export type WebSocketClass = new (url: string, options?: never) => object;

/** What a message needs beside itself. */
export interface Conditions {
  readonly headers: { readonly [name: string]: string };
  /** Whether the handshake must not go without the headers: they have credentials, or a signature. */
  readonly needsHeaders: boolean;
  readonly limit: number;
  readonly signal: AbortSignal;
  /** URLs whose hosts may have private addresses. */
  readonly named: readonly string[];
  /** Whether addresses are checked here, as for HTTP. */
  readonly isChecked: boolean;
}

/** The URL of an endpoint, which may be written with https. A password in it is not sent. */
export function socketUrl(endpoint: string): string {
  const url = new URL(endpoint.replace(/^http/i, "ws"));
  url.username = url.password = url.hash = "";
  return url.href;
}

/** The class that opens WebSockets. Throws ClientNeeded if there is none. With a `fetch` of the caller, that of the platform would pass it by. */
export function classOf(given: WebSocketClass | undefined, hasFetch: boolean, operation: Operation, decision: Decision, capability: string): WebSocketClass {
  const found = given ?? (hasFetch ? undefined : (globalThis as { WebSocket?: WebSocketClass }).WebSocket);
  if (found !== undefined) return found;
  const why = hasFetch ? "beside `fetch`" : "as this platform has none";
  throw new ClientNeeded(`${repr(capability)} is an operation of websocket at ${operation.url}; give the option \`WebSocket\`, such as the class of the package ws, ${why}`, decision, operation);
}

/** Sends the arguments as one message in JSON, if there are any. Returns the first message of the server. Throws Failed. */
export async function exchanged(kind: WebSocketClass, url: string, operation: Operation, conditions: Conditions): Promise<Uint8Array> {
  const { signal, limit, named, isChecked } = conditions;
  // Encrypted, so that another address than the checked one cannot prove that it is the host.
  if (isChecked) await addressCheck()?.(url.replace(/^ws/, "http"), named, signal);
  if (signal.aborted) throw new Failed("timeout");
  const socket = opened(kind, url, conditions);
  socket.binaryType = "arraybuffer";
  let end = () => {};
  let [isOpen, isAnswered] = [false, false];
  try {
    const body = await new Promise<Uint8Array>((done, failed) => {
      let said: string | undefined;
      end = () => failed(new Failed("timeout"));
      signal.addEventListener("abort", end, { once: true });
      const names = Object.keys(operation.args);
      socket.addEventListener("open", () => {
        isOpen = true;
        if (names.length > 0) socket.send(dumps(operation.args as never));
      });
      socket.addEventListener("message", ({ data }) => {
        const body = typeof data === "string" ? encoded(data) : new Uint8Array(data as ArrayBuffer);
        if (body.length > limit) failed(new Failed("too-large"));
        else done(body);
      });
      // The close follows at once, except in Node 20 after a refused handshake.
      socket.addEventListener("error", ({ message, error }) => {
        said = message;
        setTimeout(() => failed(new Failed("unreachable", closed(isOpen, said))));
        if (error?.code === "WS_ERR_UNSUPPORTED_MESSAGE_LENGTH") failed(new Failed("too-large"));
      });
      socket.addEventListener("close", ({ code }) => failed(code === TOO_LARGE ? new Failed("too-large") : new Failed("unreachable", closed(isOpen, said))));
    });
    isAnswered = true;
    return body;
  } finally {
    signal.removeEventListener("abort", end);
    if (isAnswered || socket.terminate === undefined) socket.close();
    else socket.terminate();
  }
}

const TOO_LARGE = 1009;

/** Why there is no message. Most platforms do not say with which status a server refuses the handshake; `said` is what they say. */
function closed(isOpen: boolean, said: string | undefined): string {
  if (isOpen) return said || "the server has closed the connection";
  const status = /^Unexpected server response: (\d{3})$/.exec(said ?? "")?.[1];
  if (status !== undefined) return `the server refuses the handshake of the WebSocket with status ${status}`;
  return `the WebSocket cannot be opened: ${said || "the platform does not say why, such as that the server refuses the handshake"}`;
}

function opened(kind: WebSocketClass, url: string, { headers, needsHeaders, limit }: Conditions): Socket {
  const options = { headers, maxPayload: limit, followRedirects: false };
  try {
    return new kind(url, options as never) as Socket;
  } catch (problem) {
    // A browser takes the options for the name of a protocol, and has not connected.
    if (needsHeaders) throw new Failed("refused", "the WebSocket of this platform sends no credentials and no signatures; give the option `WebSocket` a class that takes headers");
    try {
      return new kind(url) as Socket;
    } catch {
      throw new Failed("unreachable", String((problem as Error).message));
    }
  }
}

