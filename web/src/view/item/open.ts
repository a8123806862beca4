// What the reader has opened and closed. It outlives the row, which comes and goes as he scrolls.

import { useState } from "react";
import type { SessionStore } from "../../store/session";
import { useSession } from "../../store/use";

const kept = new WeakMap<SessionStore, Map<string, boolean>>();

function choices(session: SessionStore): Map<string, boolean> {
  const there = kept.get(session) ?? new Map<string, boolean>();
  kept.set(session, there);
  return there;
}

/** Is it open? As the reader chose; if he did not, as it is by itself. */
export function useOpen(key: string, byItself: boolean): [boolean, () => void] {
  const all = choices(useSession());
  const [, drawAgain] = useState(0);
  const isOpen = all.get(key) ?? byItself;
  const toggle = () => {
    all.set(key, !isOpen);
    drawAgain((times) => times + 1);
  };
  return [isOpen, toggle];
}
