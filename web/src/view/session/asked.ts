// What is asked about a session in a dialog: a question goes in from a menu, a key or the palette; the one that is open comes
// out. The dialogs themselves are loaded when the first of them is asked for.

import { ApiError } from "../../api/http";
import { Shared, useShared } from "../../store/shared";

export type Asked =
  | { kind: "rename"; id: string }
  | { kind: "remove"; id: string }
  /** A fork from before this message of a person. */
  | { kind: "fork"; id: string; item: string }
  /** Files back to before this message of a person. */
  | { kind: "rewind"; id: string; item: string }
  /** A new session that begins with a summary of this one. */
  | { kind: "summary"; id: string }
  /** Another program works on the conversation; `why` is what the server says. */
  | { kind: "twoWriters"; id: string; why: string };

const now = new Shared<Asked | undefined>(undefined);

export const askAbout = (asked: Asked | undefined): void => now.set(asked);

/** Asks what is to be done when that is why it failed: another program works on the conversation. */
export function askAboutWriters(id: string, cause: unknown): boolean {
  const isIt = cause instanceof ApiError && cause.code === "two_writers";
  if (isIt) askAbout({ kind: "twoWriters", id, why: cause.message });
  return isIt;
}

export const useAsked = (): Asked | undefined => useShared(now);
