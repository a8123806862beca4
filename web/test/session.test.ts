import { expect, test } from "vitest";
import type { Answer } from "../src/api/frames";
import type { Socket } from "../src/api/socket";
import type { Item, ItemBody, State } from "../src/generated";
import { SessionStore } from "../src/store/session";

let next = 0;

function item(id: string, body: ItemBody): Item {
  next += 1;
  return { id, order: [next, 0], at: next, seq: next, body };
}

const turn = (id: string) =>
  item(id, { kind: "turn", outcome: "completed", prompts: [], models: {}, toolCalls: 0, files: [], denials: [] });
const thought = (id: string) => item(id, { kind: "thinking", text: { text: "x" }, done: true });

function opened(): SessionStore {
  const store = new SessionStore("s", {} as Socket);
  const state = { floor: [0, 0], items: [] } as unknown as State;
  hear(store, { kind: "snapshot", epoch: "e", seq: 1, state });
  return store;
}

function hear(store: SessionStore, answer: Answer): void {
  store.hear({ kind: "session", session: "s", answer });
}

const put = (store: SessionStore, ...items: Item[]) =>
  hear(store, { kind: "changes", seq: 2, changes: items.map((it) => ({ change: "put", item: it })) });

const isOpen = (store: SessionStore, key: string) =>
  store.rows().some((row) => row.key === key && "open" in row && row.open);

test("a turn folds when it ends, but not under the eyes of who is in the middle of it", () => {
  const store = opened();
  put(store, thought("a"), turn("one"));
  expect(isOpen(store, "one")).toBe(false);
  store.keepsOpen = true;
  put(store, thought("b"), turn("two"));
  expect(isOpen(store, "two")).toBe(true);
  // What is put again has not ended again: the reader may have folded it since.
  store.toggle("two");
  put(store, { ...turn("two"), order: [4, 0] });
  expect(isOpen(store, "two")).toBe(false);
});
