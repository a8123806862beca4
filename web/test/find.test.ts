import { expect, test } from "vitest";
import type { Item, ItemBody } from "../src/generated";
import { findIn } from "../src/view/find/find";

const item = (id: string, body: ItemBody): Item => ({ id, order: [1, 0], at: 1, seq: 1, body });
const clip = (text: string) => ({ text });

const items: Item[] = [
  item("said", { kind: "user", text: clip("Fix the Lexer"), images: [], role: "person" }),
  item("done", {
    kind: "tool",
    name: "Edit",
    toolKind: "edit",
    title: "src/lexer.rs",
    status: "completed",
    input: clip("{}"),
    view: {
      view: "edit",
      diff: {
        path: "src/lexer.rs",
        hunks: [{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: ["-let a = 1;", "+let anchor = 1;"] }],
        added: 1,
        removed: 1,
        created: false,
        userModified: false,
        proposed: false,
      },
    },
    images: [],
    locations: [],
  }),
  item("ended", {
    kind: "turn",
    outcome: "completed",
    prompts: [],
    models: { "the lexer": { costUsd: 0 } as never },
    toolCalls: 1,
    files: [],
    denials: [],
  }),
];

test("words are found in what was said and done, in small letters or capitals", () => {
  expect(findIn(items, " LEXER ")).toEqual(["said", "done"]);
  expect(findIn(items, "anchor")).toEqual(["done"]);
  expect(findIn(items, "")).toEqual([]);
  // What only programs read is not found.
  expect(findIn(items, "completed")).toEqual([]);
});
