// What speaks against a key: an action and a chord in; what else has it, and what the browser does with it, out. Pure.

import { ACTION_IDS, ACTIONS, type ActionId, FIXED, overlap } from "./actions";
import { IS_MAC, readChord, readChords } from "./chord";

/** What else a chord would do where the action is called: the words of other actions. */
export function conflicts(
  action: ActionId,
  chord: string,
  keysOf: (action: ActionId) => readonly string[],
  isMac = IS_MAC,
): string[] {
  const { where } = ACTIONS[action];
  const others = ACTION_IDS.filter(
    (other) => other !== action && overlap(where, ACTIONS[other].where) && keysOf(other).includes(chord),
  );
  const fixed = FIXED.filter((each) => overlap(where, each.where) && readChords(each.keys, isMac).includes(chord));
  return [...others.map((other) => ACTIONS[other].words), ...fixed.map(({ words }) => words)];
}

/** Keys that a page never gets, or not in every browser. */
const KEPT = ["Mod+N", "Mod+T", "Mod+W", "Mod+Shift+N", "Mod+Shift+T", "Mod+Shift+W", "Ctrl+Tab", "Ctrl+Shift+Tab"];
const KEPT_ELSEWHERE = { mac: ["Meta+Q", "Meta+H", "Meta+M", "Meta+Space", "Meta+Tab"], other: ["Alt+F4", "Alt+Tab"] };

/** Keys that the browser does something with, and that a page can take. */
const USED: Record<string, string> = {
  "Mod+A": "select all",
  "Mod+B": "bookmarks or bold text",
  "Mod+D": "bookmark the page",
  "Mod+F": "find in the page",
  "Mod+G": "find again",
  "Mod+J": "downloads",
  "Mod+L": "the address bar",
  "Mod+O": "open a file",
  "Mod+P": "print",
  "Mod+R": "load the page again",
  "Mod+S": "save the page",
  "Mod+U": "the page’s source",
  "Mod+V": "paste",
  "Mod+X": "cut",
  "Mod+Z": "undo",
  F1: "help",
  F3: "find again",
  F5: "load the page again",
  F11: "full screen",
  F12: "developer tools",
};

/** What to know before one takes a key from the browser. */
export function browserWarning(chord: string, isMac = IS_MAC): string | undefined {
  const is = (text: string) => readChord(text, isMac) === chord;
  if ([...KEPT, ...(isMac ? KEPT_ELSEWHERE.mac : KEPT_ELSEWHERE.other)].some(is)) {
    return "The browser or the system keeps these keys for itself: they may never arrive here.";
  }
  const used = Object.entries(USED).find(([text]) => is(text))?.[1];
  return used === undefined ? undefined : `The browser uses these keys for “${used}”. Here they would do this instead.`;
}
