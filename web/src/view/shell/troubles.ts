// Failures of deeds that have no place of their own on the page (a menu that is closed by then): a sentence goes in, the strip
// at the top of the page shows it until it is put away.

import { useSyncExternalStore } from "react";

let now: string | undefined;
const listeners = new Set<() => void>();

export function setTrouble(text: string | undefined): void {
  now = text;
  for (const listener of [...listeners]) listener();
}

/** What to do when a deed fails: `deed().catch(troubled("It was not archived"))`. */
export const troubled =
  (what: string) =>
  (cause: unknown): void =>
    setTrouble(`${what}. ${cause instanceof Error ? cause.message : String(cause)}`);

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useTroubleText = (): string | undefined => useSyncExternalStore(subscribe, () => now);
