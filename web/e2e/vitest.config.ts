import { defineConfig } from "vitest/config";

// Browsers, servers and agents are the real ones and wait for each other, so there are more workers than cores.
export default defineConfig({
  root: import.meta.dirname,
  test: {
    include: ["*.test.ts"],
    setupFiles: ["./faults.ts"],
    maxWorkers: 4,
    // A worker keeps its browser, and the modules it has loaded, from file to file.
    isolate: false,
    testTimeout: 120_000,
    hookTimeout: 60_000,
    // As long as the browser waits for something.
    expect: { poll: { timeout: 60_000 } },
  },
});
