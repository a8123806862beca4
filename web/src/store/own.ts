// What is the user's own and is kept on the server: keys, ways to start a session, budgets. Read once; a change in one tab is heard
// in the others.

import { changeOwnSettings, type OwnSettings, type OwnSettingsChange, ownSettings } from "../api/own";
import { Shared, useShared } from "./shared";

const NOTHING: OwnSettings = { keybindings: {}, presets: {}, budgets: {} };

const now = new Shared(NOTHING);
const channel = typeof BroadcastChannel === "undefined" ? undefined : new BroadcastChannel("quarterdeck.own");

export const own = now.get;

/** Has the server told of them yet? */
export const isOwnKnown = (): boolean => own() !== NOTHING;

/** Reads them. Until then, and if that fails, there are none. */
export async function loadOwn(): Promise<void> {
  now.set(await ownSettings());
}

/** Changes some of them; null removes one. They are here when the server has taken them. */
export async function changeOwn(change: OwnSettingsChange): Promise<void> {
  await changeOwnSettings(change);
  channel?.postMessage("changed");
  // What is not known cannot be changed here: the others would seem to be gone.
  if (!isOwnKnown()) return loadOwn();
  now.set({
    keybindings: changed(own().keybindings, change.keybindings),
    presets: changed(own().presets, change.presets),
    budgets: changed(own().budgets, change.budgets),
  });
}

function changed<T>(before: Record<string, T>, change: Record<string, T | null> = {}): Record<string, T> {
  const all = { ...before, ...change };
  return Object.fromEntries(Object.entries(all).filter((entry): entry is [string, T] => entry[1] !== null));
}

channel?.addEventListener("message", () => void loadOwn().catch(() => {}));

export const subscribeOwn = now.subscribe;

export const useOwn = (): OwnSettings => useShared(now);
