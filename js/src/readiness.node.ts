import { readFileSync } from "node:fs";
import { use } from "./engine.js";
import { checkAddresses, send } from "./node-transport.js";
import { openFolder } from "./readiness/node-folder.js";
import { useFolders } from "./readiness/folders.js";
import { useTransport } from "./transport.js";

use("readiness", () => readFileSync(new URL("./readiness.wasm", import.meta.url)));

useTransport(send, checkAddresses);
useFolders(openFolder);

export * from "./readiness/index.js";
