import { expect, test } from "vitest";
import type { Item, ItemBody } from "../src/generated";
import { rows } from "../src/store/rows";

const clip = (text: string) => ({ text });
let next = 0;

function item(id: string, body: ItemBody, more: Partial<Item> = {}): Item {
  next += 1;
  return { id, order: [next, 0], at: next * 1000, seq: next, body, ...more };
}

const user = (id: string) => item(id, { kind: "user", text: clip("do"), images: [], role: "person" });
const text = (id: string) => item(id, { kind: "text", text: clip("words"), done: true, aborted: false });
const failure = (id: string) => item(id, { kind: "error", text: clip("overloaded") });
const death = (id: string) => item(id, { kind: "error", text: clip("The agent ended"), category: "exit" });
const hook = (id: string) => item(id, { kind: "hook", name: "SessionStart", output: clip("hello") });
const turn = (id: string, outcome: "completed" | "interrupted" = "completed") =>
  item(id, { kind: "turn", outcome, prompts: [], models: {}, toolCalls: 0, files: [], denials: [] });

function tool(id: string, endedAt?: number): Item {
  const made = item(id, {
    kind: "tool",
    name: "Bash",
    toolKind: "execute",
    title: "ls",
    status: "completed",
    input: clip("{}"),
    view: { view: "other", output: clip("") },
    images: [],
    locations: [],
  });
  if (made.body.kind === "tool") made.body.endedAt = endedAt ?? made.at + 1;
  return made;
}

const shown = (items: Item[], open: string[] = []) =>
  rows(items, new Set(open)).map((row) =>
    row.kind === "item" || row.kind === "step" ? `${row.kind} ${row.id}` : row.kind,
  );

test("a finished turn is one line and its answer; what went wrong does not fold", () => {
  const items = [user("u"), text("a"), tool("b"), failure("e"), tool("c"), text("d"), turn("t")];
  expect(shown(items)).toEqual(["item u", "turn", "item e", "item d"]);
  expect(rows(items, new Set())[1]).toMatchObject({ kind: "turn", steps: 3, open: false });
  expect(shown(items, ["t"])).toEqual(["item u", "turn", "step a", "step b", "item e", "step c", "item d"]);
});

test("a turn of words alone has no steps", () => {
  const all = rows([user("u"), text("a"), turn("t")], new Set());
  expect(all.map((row) => row.kind)).toEqual(["item", "turn", "item"]);
  expect(all[1]).toMatchObject({ steps: 0 });
});

test("calls that were begun before the first had ended ran at the same time", () => {
  const first = tool("a", Number.MAX_SAFE_INTEGER);
  const items = [user("u"), first, tool("b", Number.MAX_SAFE_INTEGER), tool("c"), text("w"), tool("d")];
  expect(shown(items)).toEqual(["item u", "parallel", "step a", "step b", "step c", "step w", "step d"]);
});

test("of a long turn that runs the last steps are shown, and all of them on demand", () => {
  const items = [user("u"), ...Array.from({ length: 30 }, (_, at) => tool(`t${at}`))];
  const folded = rows(items, new Set());
  expect(folded[1]).toMatchObject({ kind: "earlier", steps: 22 });
  expect(folded).toHaveLength(2 + 8);
  expect(rows(items, new Set([folded[1]?.key ?? ""]))).toHaveLength(2 + 30);
});

test("what belongs to a subagent is drawn in its lane alone", () => {
  expect(shown([user("u"), tool("a"), { ...tool("b"), parent: "a" }])).toEqual(["item u", "step a"]);
});

test("a turn knows whether something went wrong in it, so that it is said once", () => {
  const end = (items: Item[]) => rows(items, new Set()).find((row) => row.kind === "turn");
  expect(end([user("u"), failure("e"), turn("t")])).toMatchObject({ hasError: true });
  expect(end([user("u"), text("a"), turn("t")])).toMatchObject({ hasError: false });
});

test("that a turn was interrupted is said by its line alone; while it has none, by the mark", () => {
  const mark = item("m", { kind: "user", text: clip(""), images: [], role: "interrupt" });
  const items = [user("u"), text("a"), mark];
  expect(shown(items)).toEqual(["item u", "step a", "item m"]);
  expect(shown([...items, turn("t", "interrupted")])).toEqual(["item u", "turn", "item a"]);
  expect(rows([...items, turn("t", "interrupted")], new Set())[2]).toMatchObject({ inInterrupted: true });
  // One that is left over from elsewhere stays.
  expect(shown([...items, turn("t")])).toEqual(["item u", "turn", "item a", "item m"]);
});

test("a turn that the agent's death has cut off is not a part of the next one", () => {
  const items = [user("u"), tool("a"), death("x"), user("v"), tool("b"), text("d"), turn("t")];
  expect(shown(items)).toEqual(["item u", "step a", "item x", "item v", "turn", "item d"]);
  expect(rows(items, new Set())[4]).toMatchObject({ steps: 1, hasError: false });
  // Where its end is told nevertheless, it is the end of that turn.
  const lost = [user("u"), tool("a"), death("x"), turn("s"), user("v"), text("d"), turn("t")];
  expect(shown(lost)).toEqual(["item u", "turn", "item x", "item v", "turn", "item d"]);
});

test("of a long turn that was cut off the first steps stay folded when the next one runs", () => {
  const dead = [user("u"), ...Array.from({ length: 30 }, (_, at) => tool(`a${at}`)), death("x")];
  const long = [...dead, user("v"), ...Array.from({ length: 20 }, (_, at) => tool(`b${at}`))];
  const folds = (open: string[]) => rows(long, new Set(open)).filter((row) => row.kind === "earlier");
  expect(folds([])).toMatchObject([{ steps: 22 }, { steps: 12 }]);
  // Each is opened by itself.
  expect(folds([folds([])[0]?.key ?? ""])).toMatchObject([{ open: true }, { open: false }]);
});

test("what a hook says before the message stands before it, and after the answer it does not fold that", () => {
  const items = [hook("h"), user("u"), hook("i"), tool("a"), text("d"), hook("j"), turn("t")];
  expect(shown(items)).toEqual(["item h", "item u", "turn", "item d"]);
  expect(shown(items, ["t"])).toEqual(["item h", "item u", "turn", "step i", "step a", "item d", "step j"]);
  expect(rows(items, new Set())[2]).toMatchObject({ kind: "turn", steps: 3 });
});
