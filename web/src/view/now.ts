// The time, for what counts it: one clock for all, that goes only while somebody looks at it.

import { useSyncExternalStore } from "react";

const listeners = new Set<() => void>();
let now = Date.now();
let ticking: ReturnType<typeof setInterval> | undefined;

function tick(): void {
  now = Date.now();
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  if (ticking === undefined) {
    now = Date.now();
    ticking = setInterval(tick, 1000);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      clearInterval(ticking);
      ticking = undefined;
    }
  };
};

const never = (): (() => void) => () => {};

/**
 * The time, once a second, or in steps of so many milliseconds; as it was when first asked for, if it need not go on.
 */
export function useNow(goesOn = true, step = 1): number {
  return useSyncExternalStore(goesOn ? subscribe : never, () => (step === 1 ? now : Math.ceil(now / step) * step));
}
