import { inlined } from "./inlined.js";
import base64 from "./identity.wasm.js";
import { use } from "./engine.js";

use("identity", () => inlined(base64));

export * from "./identity/index.js";
