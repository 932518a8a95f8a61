import { inlined } from "./inlined.js";
import base64 from "./agentsdisc.wasm.js";
import { use } from "./engine.js";

use("full", () => inlined(base64));

export * from "./api.js";
