import { defineConfig } from "vitest/config";

// Two browsers and two servers at a time: they are the real ones, and wait for each other more than they work.
export default defineConfig({
  root: import.meta.dirname,
  test: {
    include: ["*.test.ts"],
    setupFiles: ["./faults.ts"],
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 60_000,
    // As long as the browser waits for something.
    expect: { poll: { timeout: 60_000 } },
  },
});
