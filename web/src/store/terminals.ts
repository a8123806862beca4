// Conversations that are held in terminals, as the CLI keeps them: asked for while somebody looks, and again every little while.

import { useSyncExternalStore } from "react";
import { type Transcript, transcripts } from "../api/server";

/** How often they are asked for while somebody looks. */
const AGAIN_MS = 15_000;
/** The list of sessions comes first. */
const FIRST_MS = 800;

let now: readonly Transcript[] = [];
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setTimeout> | undefined;

/** Asks now. What cannot be had is what it was. */
export async function askTerminals(): Promise<readonly Transcript[]> {
  try {
    const next = await transcripts();
    if (JSON.stringify(next) !== JSON.stringify(now)) {
      now = next;
      for (const listener of [...listeners]) listener();
    }
  } catch {
    // The connection says what is wrong.
  }
  return now;
}

function askLater(ms: number): void {
  const mine = setTimeout(async () => {
    if (document.visibilityState !== "hidden") await askTerminals();
    // Who has gone and come back while it was on its way has begun anew: one round is enough.
    if (listeners.size > 0 && timer === mine) askLater(AGAIN_MS);
  }, ms);
  timer = mine;
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  if (listeners.size === 1) askLater(FIRST_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) clearTimeout(timer);
  };
};

export const useTerminals = (): readonly Transcript[] => useSyncExternalStore(subscribe, () => now);
