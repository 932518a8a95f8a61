import { readFileSync } from "node:fs";
import { use } from "./engine.js";

use("robots", () => readFileSync(new URL("./robots.wasm", import.meta.url)));

export * from "./robots-api.js";
