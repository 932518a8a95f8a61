declare module "*.wasm" {
  const module: WebAssembly.Module;
  export default module;
}

declare module "*.wasm.js" {
  /** The module in base64. */
  const base64: string;
  export default base64;
}

declare module "*.json.js" {
  /** Data of the Python package. */
  const data: unknown;
  export default data;
}
