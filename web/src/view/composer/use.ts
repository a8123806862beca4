// What the parts of the composer subscribe to.

import { useSyncExternalStore } from "react";
import type { Desk } from "./desk";

export function useDesk<T>(desk: Desk, look: (desk: Desk) => T): T {
  return useSyncExternalStore(desk.subscribe, () => look(desk));
}

const narrow = typeof matchMedia === "undefined" ? undefined : matchMedia("(max-width: 719px)");
const touch = typeof matchMedia === "undefined" ? undefined : matchMedia("(pointer: coarse) and (hover: none)");

function subscribe(query: MediaQueryList | undefined): (listener: () => void) => () => void {
  return (listener) => {
    query?.addEventListener("change", listener);
    return () => query?.removeEventListener("change", listener);
  };
}

const subscribeNarrow = subscribe(narrow);
const subscribeTouch = subscribe(touch);

/** Is the window so small that prompts are sheets? */
export function useNarrow(): boolean {
  return useSyncExternalStore(subscribeNarrow, () => narrow?.matches ?? false);
}

/** Is there only a finger? Then there is no Shift for a new line, and no key for a hint. */
export function useTouch(): boolean {
  return useSyncExternalStore(subscribeTouch, () => touch?.matches ?? false);
}
