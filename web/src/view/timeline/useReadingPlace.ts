// Keeps the reader where he is. At the end he stays at the end, whatever comes; anywhere else what he reads stays where it is.

import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { VirtualizerHandle } from "virtua";
import type { Row } from "../../store/rows";
import { useSession } from "../../store/use";
import { type Anchor, cameBefore, countSince, findAnchors, NEAR_END, rowElement } from "./place";

export type ReadingPlace = {
  isAtEnd: boolean;
  /** Rows that came since the reader left the end. */
  fresh: number;
  /** Did rows come at the top, and only there? The list keeps the place by itself then. */
  isShift: boolean;
  jump: () => void;
  /** The reader opens or closes something: nothing may move because of that. */
  release: () => void;
  onResize: () => void;
};

export function useReadingPlace(
  rows: readonly Row[],
  scroller: RefObject<HTMLDivElement | null>,
  list: RefObject<VirtualizerHandle | null>,
): ReadingPlace {
  const session = useSession();
  const atEnd = useRef(true);
  const [isAtEnd, setAtEnd] = useState(true);
  const [leftAt, setLeftAt] = useState<string | undefined>();
  const anchors = useRef<Anchor[]>([]);
  const before = useRef(rows);
  const isShift = cameBefore(before.current, rows);

  const toEnd = useCallback(() => {
    const place = scroller.current;
    if (place) place.scrollTop = place.scrollHeight;
  }, [scroller]);

  const note = useCallback(
    (end: boolean) => {
      if (atEnd.current === end) return;
      atEnd.current = end;
      session.keepsOpen = !end;
      setAtEnd(end);
      setLeftAt(end ? undefined : before.current.at(-1)?.key);
    },
    [session],
  );

  // Who comes back to a session comes to its end.
  useEffect(() => {
    session.keepsOpen = !atEnd.current;
    return () => {
      session.keepsOpen = false;
    };
  }, [session]);

  useReaderScroll(scroller, anchors, note);

  useLayoutEffect(() => {
    const last = before.current;
    before.current = rows;
    if (atEnd.current) {
      toEnd();
      return;
    }
    if (last === rows) return;
    if (cameBefore(last, rows) || isAppended(last, rows)) return;
    const place = scroller.current;
    const keys = new Set(rows.map((row) => row.key));
    const anchor = anchors.current.find(({ key }) => keys.has(key));
    if (place && anchor) putBack(place, anchor, rows, list.current);
  }, [rows, scroller, list, toEnd]);

  const onResize = useCallback(() => {
    if (atEnd.current) toEnd();
  }, [toEnd]);

  const release = useCallback(() => {
    const wasAtEnd = atEnd.current;
    if (!wasAtEnd) return;
    atEnd.current = false;
    // When what was opened is drawn, the end may still be there.
    setTimeout(() => {
      const place = scroller.current;
      atEnd.current = true;
      if (place && distance(place) > NEAR_END) note(false);
    }, 120);
  }, [scroller, note]);

  const jump = useCallback(() => {
    note(true);
    toEnd();
    // Rows that were never drawn are measured now, and the end moves.
    requestAnimationFrame(toEnd);
  }, [note, toEnd]);

  return { isAtEnd, fresh: countSince(rows, leftAt), isShift, jump, release, onResize };
}

const distance = (place: HTMLElement): number => place.scrollHeight - place.scrollTop - place.clientHeight;

/** Were rows only added at the end? Then nothing that is read moves. */
function isAppended(before: readonly Row[], after: readonly Row[]): boolean {
  return after.length >= before.length && before.every((row, at) => row.key === after[at]?.key);
}

/** Only what the reader does himself takes him away from the end: wheel, keys, fingers, the scroll bar. */
function useReaderScroll(
  scroller: RefObject<HTMLDivElement | null>,
  anchors: RefObject<Anchor[]>,
  note: (end: boolean) => void,
): void {
  useEffect(() => {
    const place = scroller.current;
    if (!place) return;
    let last = place.scrollTop;
    let touchedAt = 0;
    let isPressed = false;
    const touch = () => {
      touchedAt = performance.now();
      // He goes elsewhere: nothing is put back any more.
      putting++;
    };
    const press = () => {
      isPressed = true;
    };
    const lift = () => {
      isPressed = false;
      touch();
    };
    const scroll = () => {
      const isUp = place.scrollTop < last - 1;
      last = place.scrollTop;
      if (distance(place) < NEAR_END) note(true);
      else if (isUp && (isPressed || performance.now() - touchedAt < 800)) note(false);
      anchors.current = findAnchors(place);
    };
    const passive = { passive: true } as const;
    place.addEventListener("scroll", scroll, passive);
    place.addEventListener("wheel", touch, passive);
    place.addEventListener("touchmove", touch, passive);
    place.addEventListener("keydown", touch);
    place.addEventListener("pointerdown", press);
    addEventListener("pointerup", lift);
    return () => {
      place.removeEventListener("scroll", scroll);
      place.removeEventListener("wheel", touch);
      place.removeEventListener("touchmove", touch);
      place.removeEventListener("keydown", touch);
      place.removeEventListener("pointerdown", press);
      removeEventListener("pointerup", lift);
    };
  }, [scroller, anchors, note]);
}

let putting = 0;

/** So many frames are given to rows that are drawn and measured only now. */
const FRAMES = 8;

/** Rows in the middle changed: the row that was read goes back to where it was. */
function putBack(place: HTMLElement, anchor: Anchor, rows: readonly Row[], list: VirtualizerHandle | null): void {
  const at = rows.findIndex((row) => row.key === anchor.key);
  const mine = ++putting;
  const put = (frames: number) => {
    if (mine !== putting) return;
    const element = rowElement(place, anchor.key);
    const off = element
      ? element.getBoundingClientRect().top - place.getBoundingClientRect().top - anchor.top
      : undefined;
    if (off === undefined) list?.scrollTo(list.getItemOffset(at) - anchor.top);
    else if (Math.abs(off) > 0.5) place.scrollTop += off;
    if (frames > 0) requestAnimationFrame(() => put(frames - 1));
  };
  put(FRAMES);
}
