import { readFileSync } from "node:fs";
import { use } from "./engine.js";

use("full", () => readFileSync(new URL("./agentsdisc.wasm", import.meta.url)));

export * from "./api.js";
