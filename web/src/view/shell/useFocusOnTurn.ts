// In a narrow window the list and the session take turns. What had the focus is not seen any more then, so that goes to what
// came: to the title of the session, or back to its row.

import { useEffect, useRef } from "react";
import { type Place, placeHref } from "../route";

const isSeen = (element: Element | null): boolean => element?.checkVisibility({ visibilityProperty: true }) === true;

/** Elsewhere both are seen, and the next key must not mean a title that nobody has gone to. */
const isNarrow = (): boolean => matchMedia("(max-width: 1023px)").matches;

export function useFocusOnTurn(place: Place): void {
  const before = useRef(place);
  useEffect(() => {
    const left = before.current;
    before.current = place;
    const here = document.activeElement;
    if (!isNarrow() || left === place || (here !== document.body && isSeen(here))) return;
    // What is inspected takes care of itself.
    if (left.page === "session" && place.page === "session" && left.id === place.id && place.tab !== undefined) return;
    const row =
      left.page === "session" ? `a.srow[href="${placeHref({ page: "session", id: left.id })}"]` : ".list a.srow";
    const wanted = document.querySelector<HTMLElement>(place.page === "session" ? ".title-button" : row);
    if (isSeen(wanted)) wanted?.focus({ preventScroll: place.page === "session" });
  }, [place]);
}
