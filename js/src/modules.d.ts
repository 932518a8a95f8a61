declare module "*.wasm" {
  const module: WebAssembly.Module;
  export default module;
}

declare module "*.wasm.js" {
  /** The module in base64. */
  const base64: string;
  export default base64;
}
