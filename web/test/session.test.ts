import { afterEach, expect, test, vi } from "vitest";
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

test("steps of a turn that runs fold, but not while the reader is in the middle of them", () => {
  const store = opened();
  const folded = () => store.rows().find((row) => row.kind === "earlier")?.steps ?? 0;
  const think = (from: number, to: number) => {
    for (let at = from; at < to; at++) put(store, thought(`t${at}`));
  };
  think(0, 16);
  store.keepsOpen = true;
  think(16, 20);
  expect(folded()).toBe(0);
  store.keepsOpen = false;
  think(20, 21);
  expect(folded()).toBe(13);
  // What is folded stays so, and no more goes there.
  store.keepsOpen = true;
  think(21, 25);
  expect(folded()).toBe(13);
  // Who opens them opens those of this turn.
  store.toggle(store.rows().find((row) => row.kind === "earlier")?.key ?? "");
  put(store, turn("one"));
  store.keepsOpen = false;
  think(25, 50);
  expect(store.rows().find((row) => row.kind === "earlier")).toMatchObject({ steps: 17, open: false });
});

test("what lies in a turn that was cut off is unfolded there", () => {
  const store = opened();
  for (let at = 0; at < 20; at++) put(store, thought(`t${at}`));
  put(store, item("x", { kind: "error", text: { text: "gone" }, category: "exit" }), thought("n"), turn("next"));
  expect(store.unfoldTo("t0")).toBe("t0");
  expect(isOpen(store, "next")).toBe(false);
});

afterEach(() => vi.unstubAllGlobals());

test("older items that come after the session was taken in anew leave no gap", async () => {
  const store = new SessionStore("s", {} as Socket);
  const snapshot = (floor: number, items: Item[]) =>
    hear(store, { kind: "snapshot", epoch: "e", seq: 1, state: { floor: [floor, 0], items } as unknown as State });
  const at = (place: number): Item => ({ ...thought(`at ${place}`), order: [place, 0] });
  snapshot(100, [at(100)]);
  let answer = (_items: Item[]): void => {};
  vi.stubGlobal("document", { baseURI: "http://here/" });
  vi.stubGlobal("fetch", () => new Promise((done) => (answer = (items) => done(Response.json({ items, more: true })))));
  const bringing = store.bringOlder();
  // Meanwhile the connection broke, and so much was said that the page begins much later.
  snapshot(500, [at(500)]);
  answer([at(98), at(99)]);
  expect(await bringing).toBe(false);
  expect(store.items().map(({ id }) => id)).toEqual(["at 500"]);
  expect(store.hasOlder()).toBe(true);
});
