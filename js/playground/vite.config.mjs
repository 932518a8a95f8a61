// Builds a static page. `node_modules/.bin/vite build playground`
import { defineConfig } from "vite";

export default defineConfig({
  root: import.meta.dirname,
  base: "./",
  build: { outDir: "../dist-playground", emptyOutDir: true, target: "es2022", assetsInlineLimit: 0, modulePreload: false },
});
