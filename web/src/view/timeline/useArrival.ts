// Who comes for one item, from a search or a link, comes to that item: it is brought if it is an old one, and shown.

import { useEffect } from "react";
import { useKnown, useSession } from "../../store/use";
import { usePlace } from "../route";
import { setTrouble } from "../shell/troubles";
import { reveal } from "./reveal";

/** Somebody else may be bringing older items; so long it is waited for him. */
const WAIT_MS = 50;

export function useArrival(): void {
  const session = useSession();
  const isKnown = useKnown();
  const place = usePlace();
  const item = place.page === "session" && place.id === session.id ? place.item : undefined;
  useEffect(() => {
    if (item === undefined || !isKnown) return;
    let isOver = false;
    const arrive = async () => {
      while (!isOver && session.item(item) === undefined && session.hasOlder()) {
        if (!(await session.bringOlder())) await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
      }
      if (isOver) return;
      if (session.item(item) === undefined) {
        setTrouble({ text: "What was looked for is not in this conversation any more." });
      } else {
        // The rows that were brought are there after the next frame.
        requestAnimationFrame(() => reveal(session, item));
      }
    };
    arrive().catch(() => setTrouble({ text: "The message could not be brought. Open it again to try once more." }));
    return () => {
      isOver = true;
    };
  }, [session, isKnown, item]);
}
