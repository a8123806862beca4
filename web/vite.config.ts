import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

/** Packs every file beside itself: the server sends what is there, and packs nothing. */
function packed(): Plugin {
  let folder = "";
  return {
    name: "packed",
    apply: "build",
    configResolved: ({ root, build }) => {
      folder = join(root, build.outDir);
      if (build.outDir.startsWith("/")) folder = build.outDir;
    },
    writeBundle: () => {
      for (const name of readdirSync(join(folder, "page"))) {
        const file = join(folder, "page", name);
        if (!name.endsWith(".gz")) writeFileSync(`${file}.gz`, gzipSync(readFileSync(file), { level: 9 }));
      }
    },
  };
}

// The page stands behind whatever path a proxy gives it, so it names its files from where it stands. Nothing is inlined: the
// content security policy allows files of this server and nothing else.
export default defineConfig({
  base: "./",
  plugins: [react(), packed()],
  build: {
    target: "es2023",
    assetsDir: "page",
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    sourcemap: false,
    reportCompressedSize: false,
  },
  worker: { format: "es" },
});
