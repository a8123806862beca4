import { defineConfig } from "vitest/config";

// Figures and no tests: `cargo xtask bench page` runs it, with a release build and nothing beside it.
export default defineConfig({
  root: import.meta.dirname,
  test: { include: ["*.figures.ts"], fileParallelism: false, testTimeout: 540_000, hookTimeout: 60_000 },
});
