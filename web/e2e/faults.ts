// After each test, whatever it looked for: nothing happened on any screen that must never happen. Hooks that come first run last, so
// also what a screen does while it is closed is known by then. If a test failed, its screens are kept as pictures.

import { afterAll, afterEach, expect } from "vitest";
import { keepFailures, takeFaults } from "./screen";

afterEach(async () => {
  await keepFailures();
  expect(takeFaults()).toEqual([]);
});
afterAll(() => expect(takeFaults()).toEqual([]));
