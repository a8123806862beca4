// What this browser tells of and how: for "needs you" and for "finished" apart, by a notification of the system and by a sound. Kept
// in the browser, as what is wanted on a desk is not wanted on a phone.

import { keepText, keptText } from "../../store/browser";
import { Shared, useShared } from "../../store/shared";

export const EVENTS = ["needsYou", "finished"] as const;
export type NoticeEvent = (typeof EVENTS)[number];
export type Ways = { system: boolean; sound: boolean };
export type Prefs = Record<NoticeEvent, Ways>;

const KEY = "quarterdeck.notices";

/** Notifications come when the browser is allowed to show them; a sound only who wants one. */
const USUAL: Prefs = { needsYou: { system: true, sound: false }, finished: { system: true, sound: false } };

/** Whatever is kept, what comes out are preferences. */
export function readPrefs(text: string | null): Prefs {
  let kept: unknown;
  try {
    kept = JSON.parse(text ?? "null");
  } catch {
    // Somebody else wrote there.
  }
  const part = (event: NoticeEvent): Ways => {
    const found = (kept as Partial<Record<NoticeEvent, Partial<Ways>>> | null | undefined)?.[event];
    const is = (way: keyof Ways) => (typeof found?.[way] === "boolean" ? found[way] : USUAL[event][way]);
    return { system: is("system"), sound: is("sound") };
  };
  return { needsYou: part("needsYou"), finished: part("finished") };
}

const now = new Shared(readPrefs(keptText(KEY)));

export const prefs = now.get;

export function changePrefs(event: NoticeEvent, ways: Partial<Ways>): void {
  now.set({ ...prefs(), [event]: { ...prefs()[event], ...ways } });
  keepText(KEY, JSON.stringify(prefs()));
}

// Another tab has changed them.
if (typeof addEventListener !== "undefined") {
  addEventListener("storage", ({ key }) => {
    if (key === KEY) now.set(readPrefs(keptText(KEY)));
  });
}

export const usePrefs = (): Prefs => useShared(now);
