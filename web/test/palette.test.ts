import { expect, test } from "vitest";
import { type Entry, fittingEntries, type Kind } from "../src/view/palette/entries";
import { distance } from "../src/view/palette/fuzzy";

test("words are found at the beginning, at a word, inside, and letter by letter, in that order", () => {
  const texts = ["model", "next model", "remodel", "m-o-d-e-l"];
  const found = texts.map((text) => distance(text, "model") ?? Number.POSITIVE_INFINITY);
  expect([...found].sort((a, b) => a - b)).toEqual(found);
  expect(distance("Fix the lexer", "lexer fix")).toBeDefined();
  expect(distance("Fix the lexer", "lexer parser")).toBeUndefined();
  expect(distance("Cart total one cent off", "cto")).toBeDefined();
  // Letters that are strewn over a long text mean nothing.
  expect(distance("a long text in which there is a letter here and another one over there, zz", "azz")).toBeUndefined();
  expect(distance("anything", "")).toBeDefined();
});

const entry = (kind: Kind, label: string, more: Partial<Entry> = {}): Entry => ({
  id: `${kind}:${label}`,
  kind,
  label,
  icon: "right",
  run: () => {},
  ...more,
});

const entries = [
  entry("Action", "New session"),
  entry("Settings", "Notifications", { also: "sound" }),
  entry("Session", "Fix the sound of the bell", { detail: "tern" }),
  entry("Session", "Old one", { needsYou: true }),
  entry("Command", "/compact"),
];
const labels = (typed: string, recent: string[] = []) =>
  fittingEntries(entries, typed, recent).map(({ label }) => label);

test("with nothing typed, what needs somebody comes first, then what was used last", () => {
  expect(labels("")[0]).toBe("Old one");
  expect(labels("", ["Command:/compact"]).slice(0, 2)).toEqual(["Old one", "/compact"]);
  expect(labels("")).toHaveLength(entries.length);
});

test("what has the word in its name comes before what is only told by it", () => {
  expect(labels("sound")).toEqual(["Fix the sound of the bell", "Notifications"]);
  expect(labels("tern")).toEqual(["Fix the sound of the bell"]);
});

test("a slash asks for commands alone", () => {
  expect(labels("/")).toEqual(["/compact"]);
  expect(labels("/comp")).toEqual(["/compact"]);
  expect(labels("/session")).toEqual([]);
});
