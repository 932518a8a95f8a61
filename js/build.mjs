// Builds the package: the modules by cargo and binaryen, the program by TypeScript. With `--quick`, one module with everything stands for
// each, not made smaller.
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const js = dirname(fileURLToPath(import.meta.url));
const root = dirname(js);
const target = process.env.CARGO_TARGET_DIR ?? join(root, "target");
const run = (program, ...args) => execFileSync(program, args, { cwd: js, stdio: "inherit" });
const tool = (name) => join(js, "node_modules", ".bin", name);

const MODULES = { agentsdisc: "full", robots: "robots", identity: "identity", readiness: "readiness" };
const isQuick = process.argv.includes("--quick");
// What rustc allows, and binaryen has to be told.
const FEATURES = ["bulk-memory", "bulk-memory-opt", "sign-ext", "mutable-globals", "nontrapping-float-to-int", "multivalue", "reference-types"];

rmSync(join(js, "dist"), { recursive: true, force: true });
mkdirSync(join(js, "dist"));
for (const [name, own] of Object.entries(MODULES)) {
  const features = isQuick ? Object.values(MODULES).join() : own;
  run("cargo", "build", "--quiet", "-p", "agentsdisc-wasm", "--profile", "wasm", "--target", "wasm32-unknown-unknown", "--no-default-features", "--features", features);
  const built = join(target, "wasm32-unknown-unknown", "wasm", "agentsdisc_wasm.wasm");
  const file = join(js, "dist", `${name}.wasm`);
  if (isQuick) copyFileSync(built, file);
  else run(tool("wasm-opt"), "-Oz", ...FEATURES.map((feature) => `--enable-${feature}`), built, "-o", file);
  const base64 = readFileSync(file).toString("base64");
  writeFileSync(join(js, "dist", `${name}.wasm.js`), `export default "${base64}";\n`);
}
mkdirSync(join(js, "dist", "readiness"));
for (const name of ["scanners.json", "recipes.json"]) {
  const data = JSON.parse(readFileSync(join(root, "python", "python", "agentsdisc", "readiness", name), "utf8"));
  writeFileSync(join(js, "dist", "readiness", `${name}.js`), `export default ${JSON.stringify(data)};\n`);
}
run(tool("tsc"), "-p", ".");
for (const license of ["LICENSE-APACHE", "LICENSE-MIT", "THIRD-PARTY.md"]) copyFileSync(join(root, license), join(js, license));
