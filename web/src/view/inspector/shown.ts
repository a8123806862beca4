// Which tab of the inspector is shown: the address says it; where it says nothing, the inspector is as it was left in this
// browser, if there is room for it beside the conversation.

import { createContext, useContext, useEffect, useMemo } from "react";
import { go, type Place, replacePlace } from "../route";
import { useMedia } from "../shell/useMedia";
import { keep, useKept } from "./kept";
import type { Tab } from "./tabs";

/** Wide enough for both; otherwise they take turns. */
export const BESIDE = "(min-width: 1024px)";

export type Shown = { tab: Tab | undefined; at: string | undefined };

const NOTHING: Shown = { tab: undefined, at: undefined };

export const ShownContext = createContext<Shown>(NOTHING);
export const useShownTab = (): Tab | undefined => useContext(ShownContext).tab;

export function useShown(place: Extract<Place, { page: "session" }>): Shown {
  const isBeside = useMedia(BESIDE);
  const kept = useKept();
  const { tab: named, at } = place;
  useEffect(() => {
    if (named !== undefined && isBeside) keep({ isOpen: true, tab: named });
  }, [named, isBeside]);
  const tab = named ?? (isBeside && kept.isOpen ? kept.tab : undefined);
  return useMemo(() => ({ tab, at }), [tab, at]);
}

/** Beside the conversation nothing is left, so there is nothing to go back to. */
const turn = (place: Place): void => (matchMedia(BESIDE).matches ? replacePlace(place) : go(place));

export function openTab(id: string, tab: Tab, at?: string): void {
  turn({ page: "session", id, tab, ...(at === undefined ? {} : { at }) });
}

/** To another tab of one that is open. */
export function changeTab(id: string, tab: Tab): void {
  replacePlace({ page: "session", id, tab });
}

export function closeInspector(id: string): void {
  if (matchMedia(BESIDE).matches) keep({ isOpen: false });
  replacePlace({ page: "session", id });
}
