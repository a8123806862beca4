// What can be undone for a moment: the deed in words and its way back go in; one toast at a time comes out.

import { useSyncExternalStore } from "react";

export type Toast = { id: number; text: string; undo: () => void };

let now: Toast | undefined;
let next = 0;
const listeners = new Set<() => void>();

function set(toast: Toast | undefined): void {
  now = toast;
  for (const listener of [...listeners]) listener();
}

export function offerUndo(text: string, undo: () => void): void {
  next += 1;
  set({ id: next, text, undo });
}

/** It has been seen for long enough, or was undone. */
export function dropToast(id: number): void {
  if (now?.id === id) set(undefined);
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useToast = (): Toast | undefined => useSyncExternalStore(subscribe, () => now);
