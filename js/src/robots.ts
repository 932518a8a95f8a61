import { inlined } from "./inlined.js";
import base64 from "./robots.wasm.js";
import { use } from "./engine.js";

use("robots", () => inlined(base64));

export * from "./robots-api.js";
