import { expect, test } from "vitest";
import type { Row } from "../src/store/rows";
import { cameBefore, countSince } from "../src/view/timeline/place";

const rows = (...keys: string[]): Row[] => keys.map((key) => ({ kind: "item", key, id: key }));

test("rows that came at the top, and nowhere else", () => {
  expect(cameBefore(rows("c", "d"), rows("a", "b", "c", "d"))).toBe(true);
  expect(cameBefore(rows("c", "d"), rows("c", "d", "e"))).toBe(false);
  expect(cameBefore(rows("c", "d"), rows("b", "c", "d", "e"))).toBe(false);
  expect(cameBefore(rows("c", "d"), rows("b", "c", "x", "d"))).toBe(false);
  expect(cameBefore(rows("c", "d"), rows("x", "y"))).toBe(false);
  expect(cameBefore(rows(), rows("a"))).toBe(false);
});

test("how many came since the reader left", () => {
  expect(countSince(rows("a", "b", "c"), "a")).toBe(2);
  expect(countSince(rows("a", "b", "c"), "c")).toBe(0);
  expect(countSince(rows("a", "b", "c"), "gone")).toBe(0);
  expect(countSince(rows("a"), undefined)).toBe(0);
});
