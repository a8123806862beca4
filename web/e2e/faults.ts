// After each test, whatever it looked for: nothing happened on any screen that must never happen. Hooks that come first run last, so
// also what a screen does while it is closed is known by then.

import { afterAll, afterEach, expect } from "vitest";
import { takeFaults } from "./screen";

afterEach(() => expect(takeFaults()).toEqual([]));
afterAll(() => expect(takeFaults()).toEqual([]));
