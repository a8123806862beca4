// What the reader has opened and closed. It outlives the row, which comes and goes as he scrolls.

import { useEffect, useState } from "react";
import type { SessionStore } from "../../store/session";
import { useSession } from "../../store/use";

type Choices = { open: Map<string, boolean>; listeners: Map<string, Set<() => void>> };

const kept = new WeakMap<SessionStore, Choices>();

function choices(session: SessionStore): Choices {
  const there = kept.get(session) ?? { open: new Map(), listeners: new Map() };
  kept.set(session, there);
  return there;
}

/** Is it open? As the reader chose; if he did not, as it is by itself. */
export function useOpen(key: string, byItself: boolean): [boolean, () => void] {
  const { open, listeners } = choices(useSession());
  const [, drawAgain] = useState(0);
  useEffect(() => {
    const draw = () => drawAgain((times) => times + 1);
    const there = listeners.get(key) ?? new Set();
    listeners.set(key, there.add(draw));
    return () => {
      there.delete(draw);
      if (there.size === 0) listeners.delete(key);
    };
  }, [listeners, key]);
  const isOpen = open.get(key) ?? byItself;
  const toggle = () => {
    open.set(key, !isOpen);
    drawAgain((times) => times + 1);
  };
  return [isOpen, toggle];
}

/** Opens something from elsewhere, drawn or not. */
export function openUp(session: SessionStore, key: string): void {
  const { open, listeners } = choices(session);
  open.set(key, true);
  for (const draw of [...(listeners.get(key) ?? [])]) draw();
}
