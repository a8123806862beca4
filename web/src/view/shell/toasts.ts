// What can be undone for a moment: the deed in words and its way back go in; one toast at a time comes out.

import { Shared, useShared } from "../../store/shared";

export type Toast = { id: number; text: string; undo: () => void };

const now = new Shared<Toast | undefined>(undefined);
let next = 0;

export function offerUndo(text: string, undo: () => void): void {
  next += 1;
  now.set({ id: next, text, undo });
}

/** It has been seen for long enough, or was undone. */
export function dropToast(id: number): void {
  if (now.get()?.id === id) now.set(undefined);
}

export const useToast = (): Toast | undefined => useShared(now);
