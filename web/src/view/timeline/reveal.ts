// The way from elsewhere on the page to an item of the conversation: its id in; it is unfolded, scrolled to and marked.

import { useEffect, useRef, useState } from "react";
import type { Row } from "../../store/rows";
import type { SessionStore } from "../../store/session";
import { useSession } from "../../store/use";
import { openUp } from "../item/open";
import { uncover } from "./cleared";
import { rowElement } from "./place";

/** So long the row that was looked for is marked. */
const MARKED_MS = 2000;

const shows = new WeakMap<SessionStore, (id: string, isQuiet: boolean) => void>();

/** Shows an item in the conversation of its session, if that is on the page. The focus goes there unless it is `isQuiet`. */
export function reveal(session: SessionStore, id: string, isQuiet = false): void {
  shows.get(session)?.(id, isQuiet);
}

/** Goes to what is asked for; `release` lets go of the end, `walk` goes to a row. */
export function useReveal(
  rows: readonly Row[],
  scroller: { current: HTMLDivElement | null },
  release: () => void,
  walk: (at: number, align: "center", isQuiet: boolean) => void,
): void {
  const session = useSession();
  const [wanted, setWanted] = useState<{ key: string; isQuiet: boolean } | undefined>();
  const ways = useRef({ release, walk });
  ways.current = { release, walk };

  useEffect(() => {
    shows.set(session, (id, isQuiet) => {
      // What a subagent did is seen when the subagent is open.
      for (let outer = session.item(id)?.parent; outer !== undefined; outer = session.item(outer)?.parent) {
        openUp(session, outer);
      }
      uncover(session, id);
      const key = session.unfoldTo(id);
      setWanted(key === undefined ? undefined : { key, isQuiet });
    });
    return () => {
      shows.delete(session);
    };
  }, [session]);

  useEffect(() => {
    const at = wanted === undefined ? -1 : rows.findIndex((row) => row.key === wanted.key);
    if (wanted === undefined || at < 0) return;
    setWanted(undefined);
    ways.current.release();
    ways.current.walk(at, "center", wanted.isQuiet);
    mark(scroller, wanted.key);
  }, [wanted, rows, scroller]);
}

/** So many frames are given to a row that is drawn only now. */
const FRAMES = 60;

function mark(scroller: { current: HTMLDivElement | null }, key: string, frames = FRAMES): void {
  const element = scroller.current ? rowElement(scroller.current, key) : undefined;
  if (!element) {
    if (frames > 0) requestAnimationFrame(() => mark(scroller, key, frames - 1));
    return;
  }
  element.classList.add("is-found");
  setTimeout(() => element.classList.remove("is-found"), MARKED_MS);
}
