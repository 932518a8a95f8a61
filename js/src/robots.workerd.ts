import { use } from "./engine.js";
import module from "./robots.wasm";

use("robots", () => module);

export * from "./robots-api.js";
