import { readFileSync } from "node:fs";
import { use } from "./engine.js";
import { checkAddresses, send } from "./node-transport.js";
import { useTransport } from "./transport.js";

use("full", () => readFileSync(new URL("./agentsdisc.wasm", import.meta.url)));

useTransport(send, checkAddresses);

export * from "./api.js";
