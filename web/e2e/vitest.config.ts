import { defineConfig } from "vitest/config";

// One browser and one server at a time: they are the real ones, and take what there is.
export default defineConfig({
  root: import.meta.dirname,
  test: { include: ["*.test.ts"], fileParallelism: false, testTimeout: 120_000, hookTimeout: 60_000 },
});
