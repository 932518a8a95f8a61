import { use } from "./engine.js";
import module from "./agentsdisc.wasm";

use("full", () => module);

export * from "./api.js";
