// In a narrow window the list and the session take turns. What had the focus is not seen any more then, so that goes to what
// came: to the title of the session, or back to its row.

import { useEffect, useRef } from "react";
import { type Place, placeHref } from "../route";

const isSeen = (element: Element | null): boolean => element !== null && element.getClientRects().length > 0;

export function useFocusOnTurn(place: Place): void {
  const before = useRef(place);
  useEffect(() => {
    const left = before.current;
    before.current = place;
    const here = document.activeElement;
    if (left === place || (here !== document.body && isSeen(here))) return;
    const row = left.page === "session" ? `a.srow[href="${placeHref(left)}"]` : ".list a.srow";
    const wanted = document.querySelector<HTMLElement>(place.page === "session" ? ".title-button" : row);
    if (isSeen(wanted)) wanted?.focus({ preventScroll: place.page === "session" });
  }, [place]);
}
