import { expect, test } from "vitest";
import { failureWords, nextStep } from "../src/view/item/failures";

test("what went wrong is said with its status, and what to do where that is known", () => {
  expect(failureWords({ category: "unknown", status: 400 })).toBe("The request was not accepted, status 400");
  expect(failureWords({ category: "overloaded", status: 529 })).toBe("The model is overloaded, status 529");
  expect(failureWords({})).toBe("");
  expect(nextStep({ status: 400 }, "API Error: 400 prompt is too long: 211408 tokens")).toMatch(/^Compact/);
  expect(nextStep({ status: 502 }, "Bad gateway")).toMatch(/again in a while/);
  expect(nextStep({ category: "exit" }, "")).toBe("Your next message starts it again.");
  expect(nextStep({ status: 400 }, "Something else")).toBeUndefined();
});
