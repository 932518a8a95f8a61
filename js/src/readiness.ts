import { inlined } from "./inlined.js";
import base64 from "./readiness.wasm.js";
import { use } from "./engine.js";

use("readiness", () => inlined(base64));

export * from "./readiness/index.js";
