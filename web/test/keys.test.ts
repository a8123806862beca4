import { expect, test } from "vitest";
import { ACTION_IDS, ACTIONS, type ActionId } from "../src/view/keys/actions";
import { capsOf, chordOf, isComposing, keepChord, type Press, readChord, readChords } from "../src/view/keys/chord";
import { browserWarning, conflicts } from "../src/view/keys/conflicts";

const press = (key: string, more: Partial<Press> = {}): Press => ({
  key,
  code: "",
  ctrlKey: false,
  altKey: false,
  shiftKey: false,
  metaKey: false,
  ...more,
});

test("a chord is the same however its parts are written, and Mod is the computer's own", () => {
  expect(readChord("Shift+Mod+k", false)).toBe("Ctrl+Shift+K");
  expect(readChord("Mod+Shift+K", true)).toBe("Shift+Meta+K");
  expect([readChord("Hyper+K"), readChord("Ctrl+"), readChord("")]).toEqual([undefined, undefined, undefined]);
  expect(readChords("Mod+Enter Ctrl+Enter", false)).toEqual(["Ctrl+Enter"]);
  expect(readChords("Mod+Enter  Ctrl+Enter", true)).toEqual(["Meta+Enter", "Ctrl+Enter"]);
  expect(readChords("")).toEqual([]);
});

test("what is pressed is read by its letter, and by its place where the letters are others", () => {
  expect(chordOf(press("k", { ctrlKey: true }), false)).toBe("Ctrl+K");
  expect(chordOf(press("D", { shiftKey: true }), false)).toBe("Shift+D");
  // Caps lock is no Shift.
  expect(chordOf(press("D"), false)).toBe("D");
  expect(chordOf(press("ф", { code: "KeyA" }), false)).toBe("A");
  expect(chordOf(press("å", { code: "KeyA", altKey: true }), true)).toBe("Alt+A");
  expect(chordOf(press("F6", { shiftKey: true }), false)).toBe("Shift+F6");
  expect(chordOf(press(" "), false)).toBe("Space");
  expect(chordOf(press("Shift", { shiftKey: true }), false)).toBeUndefined();
});

test("signs are the same on every keyboard, whichever keys make them", () => {
  expect(chordOf(press("?", { shiftKey: true }), false)).toBe(readChord("?"));
  // A German keyboard makes the slash with Shift.
  expect(chordOf(press("/", { ctrlKey: true, shiftKey: true }), false)).toBe(readChord("Mod+/", false));
});

test("what is kept on one computer is right on another", () => {
  expect(keepChord("Ctrl+Shift+K", false)).toBe("Mod+Shift+K");
  expect(keepChord("Shift+Meta+K", true)).toBe("Mod+Shift+K");
  expect(keepChord("Ctrl+K", true)).toBe("Ctrl+K");
  expect(readChord(keepChord("Ctrl+Shift+K", false), true)).toBe("Shift+Meta+K");
  expect(capsOf("Ctrl+ArrowUp", false)).toEqual(["Ctrl", "↑"]);
  expect(capsOf("Shift+Meta+K", true)).toEqual(["⇧", "⌘", "K"]);
});

test("keys of a method of input are not ours, in the browser's events and in React's", () => {
  expect(isComposing({ isComposing: true })).toBe(true);
  expect(isComposing({ keyCode: 229 })).toBe(true);
  expect(isComposing({ nativeEvent: { isComposing: true } })).toBe(true);
  expect(isComposing({ nativeEvent: { isComposing: false, keyCode: 13 } })).toBe(false);
});

test.each([false, true])("the table's own keys do not clash, on a Mac: %s", (isMac) => {
  const keysOf = (action: ActionId) => readChords(ACTIONS[action].keys, isMac);
  const clashes = ACTION_IDS.flatMap((action) =>
    keysOf(action).flatMap((chord) => conflicts(action, chord, keysOf, isMac).map((other) => `${action}: ${other}`)),
  );
  expect(clashes).toEqual([]);
});

test("a key that another action has where both can be meant is told, and elsewhere it is free", () => {
  const keysOf = (action: ActionId) => readChords(ACTIONS[action].keys, false);
  expect(conflicts("newSession", "J", keysOf, false)).toEqual(["Next session"]);
  expect(conflicts("newSession", "A", keysOf, false)).toEqual(["Allow once, approve"]);
  expect(conflicts("send", "Ctrl+K", keysOf, false)).toEqual(["Clear the view of the conversation"]);
  expect(conflicts("palette", "Escape", keysOf, false)).toHaveLength(1);
  expect(conflicts("allowOnce", "1", keysOf, false)).toEqual(["Choose an answer"]);
  // In the composer letters are letters, so nobody can mean both.
  expect(conflicts("send", "J", keysOf, false)).toEqual([]);
  expect(conflicts("palette", "Ctrl+P", keysOf, false)).toEqual([]);
});

test("what the browser keeps for itself, and what it is deprived of, is said", () => {
  expect(browserWarning("Ctrl+W", false)).toMatch(/never arrive/);
  expect(browserWarning("Meta+W", true)).toMatch(/never arrive/);
  expect(browserWarning("Ctrl+F", false)).toMatch(/find in the page/);
  expect(browserWarning("Ctrl+K", false)).toBeUndefined();
});
