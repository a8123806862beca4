// Failures of deeds that have no place of their own on the page (a menu that is closed by then): a sentence goes in, and a way
// out where there is one; the strip at the top of the page shows it until it is put away.

import { useSyncExternalStore } from "react";

export type Trouble = { text: string; wayOut?: { label: string; take: () => void } };

let now: Trouble | undefined;
const listeners = new Set<() => void>();

export function setTrouble(trouble: Trouble | undefined): void {
  now = trouble;
  for (const listener of [...listeners]) listener();
}

/** What to do when a deed fails: `deed().catch(troubled("It was not archived"))`. */
export const troubled =
  (what: string) =>
  (cause: unknown): void =>
    setTrouble({ text: `${what}. ${cause instanceof Error ? cause.message : String(cause)}` });

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useTroubleNow = (): Trouble | undefined => useSyncExternalStore(subscribe, () => now);
