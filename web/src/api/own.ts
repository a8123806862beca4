// What the user's own things are asked of the server with: settings, devices, folders. The forms are those of
// `crates/server/src/routes/own.rs`, `devices.rs`, `login.rs` and `files.rs`.

import { get, patch, post, query, remove } from "./http";
import type { Options } from "./server";

/** Keys by action, ways to start a session by name, what may be spent by name. */
export type OwnSettings = {
  keybindings: Record<string, string>;
  presets: Record<string, Options>;
  budgets: Record<string, number>;
};

/** What is to be different; null removes one. */
export type OwnSettingsChange = { [Part in keyof OwnSettings]?: Record<string, OwnSettings[Part][string] | null> };

export type Device = { id: string; name: string; addedAt: number; seenAt?: number | null; isYou: boolean };

export async function ownSettings(): Promise<OwnSettings> {
  const { presets, ...rest } = await get<OwnSettings>("settings");
  const said = Object.entries(presets).map(([name, options]) => [name, withoutNulls(options)]);
  return { ...rest, presets: Object.fromEntries(said) };
}

/** The server names every option of a preset; those that nobody has chosen are null. */
function withoutNulls(options: Options): Options {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== null));
}

export const changeOwnSettings = (change: OwnSettingsChange): Promise<void> => patch("settings", change);

export const devices = (): Promise<Device[]> => get("devices");

export const revokeDevice = (id: string): Promise<void> => remove(`devices/${encodeURIComponent(id)}`);

/** A link that lets another device in: good once, for a few minutes. */
export const launchLink = (): Promise<{ path: string; expiresAt: number }> => post("launches");

export const roots = (): Promise<string[]> => get("roots");

export const forbidRoot = (path: string): Promise<void> => remove(`roots${query({ path })}`);
