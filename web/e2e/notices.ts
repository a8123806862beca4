// What the browser would show as notifications, and the tones that it would make. A screen goes in; from its next load on what it
// is told comes out.

import type { Page } from "playwright-core";
import type { Screen } from "./screen";

type Told = { title: string; body: string; click: () => void };
type Listening = Window & { told: Told[]; heard: number[]; asked: number; isMute: boolean };

/** What the browser says, and what whoever sits before it answers when the page asks for it. */
type Leave = { permission: NotificationPermission; answer?: NotificationPermission };

/** Keeps what the page notifies of instead of showing it. The page may, unless something else is said. */
export async function listenToNotices(screen: Screen, leave: Leave = { permission: "granted" }): Promise<void> {
  await screen.context.grantPermissions(["notifications"]);
  await screen.context.addInitScript(({ permission, answer = permission }) => {
    const told: Told[] = [];
    class Kept extends EventTarget {
      static permission = permission;
      static async requestPermission() {
        (window as unknown as Listening).asked += 1;
        Kept.permission = answer;
        return answer;
      }
      constructor(title: string, { body = "" }: NotificationOptions = {}) {
        super();
        told.push({ title, body, click: () => this.dispatchEvent(new Event("click")) });
      }
      close() {}
    }
    // What is started is heard; only a browser that is mute never begins to run.
    const heard: number[] = [];
    class Silent {
      currentTime = 0;
      destination = {};
      get state() {
        return (window as unknown as Listening).isMute ? "suspended" : "running";
      }
      async resume() {}
      createGain() {
        const ramp = () => {};
        const gain = { setValueAtTime: ramp, linearRampToValueAtTime: ramp, exponentialRampToValueAtTime: ramp };
        return { gain, connect: (to: unknown) => to };
      }
      createOscillator() {
        const frequency = { value: 0 };
        return { frequency, connect: (to: unknown) => to, start: () => heard.push(frequency.value), stop() {} };
      }
    }
    Object.assign(window, { Notification: Kept, AudioContext: Silent, told, heard, asked: 0, isMute: false });
  }, leave);
  await screen.page.reload();
}

/** What was told on a page, the oldest first. */
export const toldOn = (page: Page): Promise<string[]> =>
  page.evaluate(() => (window as unknown as Listening).told.map(({ body }) => body));

/** Presses the last that was told. */
export const pressLast = (page: Page): Promise<void> =>
  page.evaluate(() => (window as unknown as Listening).told.at(-1)?.click());

/** The tones that were heard on a page, in hertz, the first one first. */
export const heardOn = (page: Page): Promise<number[]> => page.evaluate(() => (window as unknown as Listening).heard);

/** From now on the browser makes no sound for this page. */
export const mute = (page: Page): Promise<void> =>
  page.evaluate(() => {
    (window as unknown as Listening).isMute = true;
  });

/** How often the page has asked whether it may notify. */
export const askedOn = (page: Page): Promise<number> => page.evaluate(() => (window as unknown as Listening).asked);

/** Somebody has said otherwise in the browser's own settings, and comes back. */
export const comeBackWith = (page: Page, permission: NotificationPermission): Promise<void> =>
  page.evaluate((now) => {
    Object.assign(Notification, { permission: now });
    dispatchEvent(new Event("focus"));
  }, permission);

/** How many events this browser is through with: told, seen, or not to be told. */
export const throughWith = (page: Page): Promise<number> =>
  page.evaluate(() => (JSON.parse(localStorage.getItem("quarterdeck.told") ?? "[]") as string[]).length);
