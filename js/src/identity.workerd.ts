import { use } from "./engine.js";
import module from "./identity.wasm";

use("identity", () => module);

export * from "./identity/index.js";
