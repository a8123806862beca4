// Keys, as they are kept (`Mod+Shift+K`), pressed (an event) and shown (caps): one form in, the other out. Pure.
//
// `Mod` is the key that commands are given with: Command on a Mac, Ctrl elsewhere. Inside, every chord is one string in which the
// modifiers stand in a fixed order, so that two are the same if their strings are.

export const IS_MAC = typeof navigator !== "undefined" && /Mac|iPhone|iPad/.test(navigator.platform);

/** What of an event tells which keys are pressed. */
export type Press = Pick<KeyboardEvent, "key" | "code" | "ctrlKey" | "altKey" | "shiftKey" | "metaKey">;

const ORDER = ["Ctrl", "Alt", "Shift", "Meta"] as const;
type Modifier = (typeof ORDER)[number];

function joined(modifiers: ReadonlySet<Modifier>, key: string): string {
  return [...ORDER.filter((modifier) => modifiers.has(modifier)), key].join("+");
}

/** Shift belongs to the chord only where the key is the same without it: `?` is Shift and another key, and which one depends on the keyboard. */
const countsShift = (key: string): boolean => key.length > 1 || /[A-Z]/.test(key);

/** A chord in words as it is kept, with `Mod` put in its place; nothing if it is none. */
export function readChord(text: string, isMac = IS_MAC): string | undefined {
  const parts = text.split("+");
  const last = parts.pop() ?? "";
  if (last === "") return undefined;
  const modifiers = new Set<Modifier>();
  for (const part of parts) {
    const name = part === "Mod" ? (isMac ? "Meta" : "Ctrl") : ORDER.find((modifier) => modifier === part);
    if (name === undefined) return undefined;
    modifiers.add(name);
  }
  return joined(modifiers, last.length === 1 ? last.toUpperCase() : last);
}

/** All chords of an action: they stand in one text with spaces between them. */
export function readChords(text: string, isMac = IS_MAC): string[] {
  const chords = text.split(/\s+/).flatMap((part) => readChord(part, isMac) ?? []);
  return [...new Set(chords)];
}

const NAMES: Record<string, string> = { " ": "Space", "+": "Plus" };
const MODIFIER_KEYS = new Set(["Control", "Alt", "AltGraph", "Shift", "Meta", "OS", "Dead", "Process", "Unidentified"]);

function keyOf(press: Press, isMac: boolean): string {
  const { key, code } = press;
  const printed = /^(?:Key|Digit)([A-Z0-9])$/.exec(code)?.[1];
  // Letters of another alphabet, and what Option makes of a letter on a Mac: then the place of the key counts.
  const isOdd = key.length === 1 && (key > "\x7f" || (press.altKey && isMac));
  if (printed !== undefined && isOdd) return printed;
  return NAMES[key] ?? (key.length === 1 ? key.toUpperCase() : key);
}

/** The chord that an event is; nothing while only modifiers are down. */
export function chordOf(press: Press, isMac = IS_MAC): string | undefined {
  if (MODIFIER_KEYS.has(press.key) || press.key === undefined) return undefined;
  const key = keyOf(press, isMac);
  const modifiers = new Set<Modifier>();
  if (press.ctrlKey) modifiers.add("Ctrl");
  if (press.altKey) modifiers.add("Alt");
  if (press.shiftKey && countsShift(key)) modifiers.add("Shift");
  if (press.metaKey) modifiers.add("Meta");
  return joined(modifiers, key);
}

/** A chord as it is kept: the key for commands is `Mod`, so that it is the right one on every computer. */
export function keepChord(chord: string, isMac = IS_MAC): string {
  const own = isMac ? "Meta" : "Ctrl";
  const parts = chord.split("+");
  return parts.some((part) => part === own) ? ["Mod", ...parts.filter((part) => part !== own)].join("+") : chord;
}

const CAPS: Record<string, string> = {
  ArrowUp: "↑",
  ArrowDown: "↓",
  ArrowLeft: "←",
  ArrowRight: "→",
  Escape: "Esc",
  Plus: "+",
  PageUp: "Page up",
  PageDown: "Page down",
  Backspace: "Backspace",
  Delete: "Del",
};
const MAC_CAPS: Record<string, string> = { Meta: "⌘", Alt: "⌥", Shift: "⇧", Ctrl: "⌃" };

/** What stands on the keys of a chord. */
export function capsOf(chord: string, isMac = IS_MAC): string[] {
  return chord.split("+").map((part) => (isMac ? MAC_CAPS[part] : undefined) ?? CAPS[part] ?? part);
}

/** Is a method of input choosing a word? Then keys are part of that, and of nothing else. */
export function isComposing(event: { isComposing?: boolean; keyCode?: number; nativeEvent?: unknown }): boolean {
  const native = (event.nativeEvent ?? event) as { isComposing?: boolean; keyCode?: number };
  return native.isComposing === true || native.keyCode === 229;
}
