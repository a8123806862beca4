import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "../src/api/http";
import { ARMED_MS, Interrupt } from "../src/view/session/interrupt";
import { limitNotice, overageWords } from "../src/view/session/limits";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("the first press arms, the second within two seconds stops", async () => {
  let sent = 0;
  const interrupt = new Interrupt(async () => {
    sent += 1;
  });
  interrupt.press();
  expect(interrupt.now().kind).toBe("armed");
  await vi.advanceTimersByTimeAsync(ARMED_MS);
  expect(interrupt.now().kind).toBe("still");
  interrupt.press();
  expect(sent).toBe(0);
  await vi.advanceTimersByTimeAsync(ARMED_MS - 1);
  interrupt.press();
  expect([sent, interrupt.now().kind]).toEqual([1, "sending"]);
  await vi.advanceTimersByTimeAsync(0);
  expect(interrupt.now().kind).toBe("still");
});

test("what could not be stopped is said, unless there is nothing left to stop", async () => {
  const failing = (cause: Error) => new Interrupt(() => Promise.reject(cause));
  const refused = failing(new ApiError("agent_refused", "The agent said no.", 409));
  await refused.stop();
  expect(refused.now()).toEqual({ kind: "failed", words: "The agent said no." });
  const over = failing(new ApiError("not_running", "No agent runs.", 409));
  await over.stop();
  expect(over.now().kind).toBe("still");
});

test("use beyond the plan is said while it is paid for, and why there is none", () => {
  expect(overageWords(undefined)).toBeUndefined();
  expect(overageWords({ inUse: true, status: "allowed" })).toMatch(/extra usage/);
  expect(overageWords({ inUse: false, status: "allowed" })).toBeUndefined();
  expect(overageWords({ inUse: false, disabledReason: "out_of_credits" })).toBe(
    "No use beyond the plan: out of credits.",
  );
});

test("a limit is worth a word when it is near or reached, until it begins anew", () => {
  const now = new Date(2026, 1, 1, 14, 0).getTime();
  const resetsAt = now + 3_600_000;
  expect(limitNotice("five_hour", { status: "allowed", usedPercent: 99 }, now)).toBeUndefined();
  expect(limitNotice("five_hour", { status: "allowed_warning", usedPercent: 87, resetsAt }, now)?.words).toMatch(
    /^87.% of the 5-hour limit is used; it begins anew at /,
  );
  expect(limitNotice("seven_day", { status: "rejected", resetsAt }, now)).toMatchObject({ isReached: true });
  expect(limitNotice("seven_day", { status: "rejected", resetsAt: now - 1 }, now)).toBeUndefined();
});
