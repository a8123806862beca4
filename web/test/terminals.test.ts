// Conversations of terminals: asked for while somebody looks.

import { afterEach, expect, test, vi } from "vitest";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.doUnmock("react");
});

test("who goes and comes back while they are asked for starts no second round", async () => {
  vi.useFakeTimers();
  vi.stubGlobal("document", { baseURI: "http://here/", visibilityState: "visible" });
  const answers: (() => void)[] = [];
  vi.stubGlobal("fetch", () => new Promise((done) => answers.push(() => done(Response.json([])))));
  let subscribe: (listener: () => void) => () => void = () => () => {};
  vi.doMock("react", () => ({ useSyncExternalStore: (given: typeof subscribe) => (subscribe = given) }));
  const { useTerminals } = await import("../src/store/terminals");
  useTerminals();
  const leave = subscribe(() => {});
  await vi.advanceTimersByTimeAsync(1000);
  expect(answers.length).toBe(1);
  leave();
  subscribe(() => {});
  answers[0]?.();
  await vi.advanceTimersByTimeAsync(1000);
  answers[1]?.();
  expect(answers.length).toBe(2);
  await vi.advanceTimersByTimeAsync(15_500);
  expect(answers.length).toBe(3);
});
