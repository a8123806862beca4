// How the inspector was left in this browser: what was kept in, how it is now out.

import { keepText, keptText } from "../../store/browser";
import { Shared, useShared } from "../../store/shared";
import { TABS, type Tab } from "./tabs";

export type Kept = { isOpen: boolean; tab: Tab; byStatus: boolean };

const KEY = "quarterdeck.inspector";

/** Whatever is kept, what comes out can be used. */
export function readKept(text: string | null): Kept {
  let kept: Partial<Record<keyof Kept, unknown>> = {};
  try {
    kept = (JSON.parse(text ?? "{}") as typeof kept | null) ?? {};
  } catch {
    // Somebody else wrote there.
  }
  return {
    isOpen: kept.isOpen === true,
    tab: TABS.find((tab) => tab === kept.tab) ?? "tasks",
    byStatus: kept.byStatus === true,
  };
}

const now = new Shared(readKept(keptText(KEY)));

export function keep(change: Partial<Kept>): void {
  now.set({ ...now.get(), ...change });
  keepText(KEY, JSON.stringify(now.get()));
}

export const useKept = (): Kept => useShared(now);
