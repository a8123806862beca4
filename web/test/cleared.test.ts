import { expect, test } from "vitest";
import type { Order } from "../src/generated";
import type { Row } from "../src/store/rows";
import { rowsAfter } from "../src/view/timeline/cleared";

const ORDERS: Record<string, Order> = { asked: [1, 0], read: [2, 0], answer: [3, 0], ended: [4, 0], next: [5, 0] };

const keysAfter = (rows: Row[], after: Order) =>
  rowsAfter(rows, { after, at: 0 }, (id) => ORDERS[id]).map(({ key }) => key);

test("a turn that ends after the view was cleared does not bring its answer back", () => {
  const rows: Row[] = [
    { kind: "item", key: "asked", id: "asked" },
    { kind: "turn", key: "ended", id: "ended", steps: 1, open: false, hasError: false },
    { kind: "item", key: "answer", id: "answer" },
    { kind: "item", key: "next", id: "next" },
  ];
  expect(keysAfter(rows, [3, 0])).toEqual(["ended", "next"]);
  expect(keysAfter(rows, [4, 0])).toEqual(["next"]);
});

test("a line that speaks of the rows below it stays with them", () => {
  const rows: Row[] = [
    { kind: "item", key: "asked", id: "asked" },
    { kind: "parallel", key: "both", count: 2 },
    { kind: "step", key: "read", id: "read", inGroup: true },
    { kind: "step", key: "answer", id: "answer", inGroup: true },
  ];
  expect(keysAfter(rows, [1, 0])).toEqual(["both", "read", "answer"]);
  expect(keysAfter(rows, [2, 0])).toEqual(["answer"]);
});
