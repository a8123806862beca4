// The keys that hold now: the table's own, and over them those that the user has chosen.

import { changeOwn, own, subscribeOwn, useOwn } from "../../store/own";
import { ACTION_IDS, ACTIONS, type ActionId } from "./actions";
import { chordOf, isComposing, keepChord, type Press, readChords } from "./chord";

/** Read from their texts once. */
const chords = new Map<ActionId, readonly string[]>();
subscribeOwn(() => chords.clear());

/** The chords of an action, best first; none if the user wants none. */
export function keysOf(action: ActionId): readonly string[] {
  const known = chords.get(action);
  if (known) return known;
  const made = readChords(own().keybindings[action] ?? ACTIONS[action].keys);
  chords.set(action, made);
  return made;
}

/** Is this the key for it? Never while a word is being composed. */
export function isPressed(action: ActionId, event: Press & { nativeEvent?: unknown }): boolean {
  return pressedOf([action], event) !== undefined;
}

/** The action of these that an event calls. */
export function pressedOf(
  actions: readonly ActionId[],
  event: Press & { nativeEvent?: unknown },
): ActionId | undefined {
  const chord = isComposing(event) ? undefined : chordOf(codeOf(event));
  return chord === undefined ? undefined : actions.find((action) => keysOf(action).includes(chord));
}

/** React's events say less than those of the browser. */
const codeOf = (event: Press & { nativeEvent?: unknown }): Press => (event.nativeEvent as Press | undefined) ?? event;

/** Has the user chosen other keys than the table has? */
export const isOwn = (action: ActionId): boolean => own().keybindings[action] !== undefined;

/** Other keys for an action, as chords; null gives it back those of the table. */
export function setKeys(action: ActionId, keys: readonly string[] | null): Promise<void> {
  const kept = keys === null ? null : keys.map((chord) => keepChord(chord)).join(" ");
  return changeOwn({ keybindings: { [action]: kept } });
}

/** Gives all actions back the keys of the table. */
export function resetKeys(): Promise<void> {
  return changeOwn({ keybindings: Object.fromEntries(ACTION_IDS.filter(isOwn).map((action) => [action, null])) });
}

/** Draws again when keys change. */
export const useKeys = (): unknown => useOwn().keybindings;
