// Brings what was said earlier when the reader comes near the top; says so if that does not work.

import { type ReactNode, type RefObject, useCallback, useEffect, useState } from "react";
import type { Row } from "../../store/rows";
import { useSession } from "../../store/use";
import { Icon } from "../Icon";

/** So near to the top older items are brought, in pixels. */
const NEAR_TOP = 1200;

/** Nothing is brought while the reader has folded away what was said before. */
export function useOlder(
  rows: readonly Row[],
  scroller: RefObject<HTMLDivElement | null>,
  isWanted: boolean,
): ReactNode {
  const session = useSession();
  const [isFailed, setFailed] = useState(false);

  const bring = useCallback(() => {
    const place = scroller.current;
    // Who does not see the conversation is not at its top.
    const isSeen = place?.checkVisibility({ visibilityProperty: true });
    if (!isWanted || !place || !isSeen || place.scrollTop > NEAR_TOP || !session.hasOlder()) return;
    session.bringOlder().then(
      () => setFailed(false),
      () => setFailed(true),
    );
  }, [session, scroller, isWanted]);

  useEffect(() => {
    const place = scroller.current;
    if (!place) return;
    place.addEventListener("scroll", bring, { passive: true });
    return () => place.removeEventListener("scroll", bring);
  }, [scroller, bring]);

  // What came may have been folded into rows that were there; then the top is still near.
  useEffect(() => {
    if (isFailed || rows.length === 0) return;
    const timer = setTimeout(bring, 100);
    return () => clearTimeout(timer);
  }, [rows, bring, isFailed]);

  return isFailed ? (
    <p className="older-failed is-danger">
      <Icon name="warn" />
      Could not load older turns.
      <button type="button" className="btn sm" onClick={bring}>
        Try again
      </button>
    </p>
  ) : null;
}
