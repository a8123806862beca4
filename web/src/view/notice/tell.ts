// Tells somebody who looks elsewhere what happened to a session: by a notification, by a sound, as this browser wants it.

import { go } from "../route";
import { claim } from "./claim";
import { EVENTS, type NoticeEvent, prefs } from "./prefs";
import { allowSound, play } from "./sound";
import { support } from "./support";

export type Notice = {
  /** The same in every tab. */
  name: string;
  event: NoticeEvent;
  session: string;
  title: string;
  words: string;
};

/** The tab in which it is seen has time to say so. */
const OTHERS_MS = 250;

if (typeof document !== "undefined") {
  const pressed = () => {
    if (EVENTS.some((event) => prefs()[event].sound)) allowSound();
  };
  document.addEventListener("pointerdown", pressed, { once: true });
  document.addEventListener("keydown", pressed, { once: true });
}

/** Is somebody looking at this very session? */
function isSeen(session: string, current: string | undefined): boolean {
  return document.visibilityState === "visible" && current === session;
}

/** `current` says which session is in front when it is asked. */
export async function tell(notice: Notice, current: () => string | undefined): Promise<void> {
  const { system, sound } = prefs()[notice.event];
  if (isSeen(notice.session, current())) {
    // What is seen here need not be told by another tab.
    await claim(notice.name);
    return;
  }
  if (!system && !sound) return;
  await new Promise((done) => setTimeout(done, OTHERS_MS));
  if (!(await claim(notice.name))) return;
  if (system) show(notice, sound);
  if (sound) await play(notice.event);
}

/** True if the browser shows it. */
export function show(
  { session, title, words }: Pick<Notice, "session" | "title" | "words">,
  isSilent: boolean,
): boolean {
  if (support() !== "granted") return false;
  try {
    // A newer one about the same session takes the place of the older.
    const shown = new Notification(title, { body: words, tag: `quarterdeck-${session}`, silent: isSilent });
    shown.addEventListener("click", () => {
      window.focus();
      if (session !== "") go({ page: "session", id: session });
      shown.close();
    });
    return true;
  } catch {
    // Some browsers of phones have the name and not the thing.
    return false;
  }
}
