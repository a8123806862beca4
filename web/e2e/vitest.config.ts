import { defineConfig } from "vitest/config";

// More workers than cores: the tests often wait for real servers and agents.
export default defineConfig({
  root: import.meta.dirname,
  test: {
    include: ["*.test.ts"],
    setupFiles: ["./faults.ts"],
    maxWorkers: 4,
    // Each worker reuses its browser and its loaded modules for the next file.
    isolate: false,
    testTimeout: 120_000,
    hookTimeout: 60_000,
    // As long as the browser waits for something.
    expect: { poll: { timeout: 60_000 } },
  },
});
