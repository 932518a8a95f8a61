import { use } from "./engine.js";
import module from "./readiness.wasm";

use("readiness", () => module);

export * from "./readiness/index.js";
