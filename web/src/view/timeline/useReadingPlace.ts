// Keeps the reader where he is. At the end he stays at the end, whatever comes; anywhere else what he reads stays where it is.

import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { VirtualizerHandle } from "virtua";
import type { Row } from "../../store/rows";
import { type Anchor, cameBefore, countSince, findAnchor, NEAR_END, rowElement } from "./place";

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
  atEnd: RefObject<boolean>;
};

export function useReadingPlace(
  rows: readonly Row[],
  scroller: RefObject<HTMLDivElement | null>,
  list: RefObject<VirtualizerHandle | null>,
): ReadingPlace {
  const atEnd = useRef(true);
  const [isAtEnd, setAtEnd] = useState(true);
  const [leftAt, setLeftAt] = useState<string | undefined>();
  const anchor = useRef<Anchor | undefined>(undefined);
  const before = useRef(rows);
  const isShift = cameBefore(before.current, rows);

  const toEnd = useCallback(() => {
    const place = scroller.current;
    if (place) place.scrollTop = place.scrollHeight;
  }, [scroller]);

  const note = useCallback((end: boolean) => {
    if (atEnd.current === end) return;
    atEnd.current = end;
    setAtEnd(end);
    setLeftAt(end ? undefined : before.current.at(-1)?.key);
  }, []);

  useReaderScroll(scroller, anchor, note);

  useLayoutEffect(() => {
    const last = before.current;
    before.current = rows;
    if (last === rows) return;
    if (atEnd.current) {
      toEnd();
      return;
    }
    if (cameBefore(last, rows) || isAppended(last, rows)) return;
    const place = scroller.current;
    if (place && anchor.current) putBack(place, anchor.current, rows, list.current);
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

  return { isAtEnd, fresh: countSince(rows, leftAt), isShift, jump, release, onResize, atEnd };
}

const distance = (place: HTMLElement): number => place.scrollHeight - place.scrollTop - place.clientHeight;

/** Were rows only added at the end? Then nothing that is read moves. */
function isAppended(before: readonly Row[], after: readonly Row[]): boolean {
  return after.length >= before.length && before.every((row, at) => row.key === after[at]?.key);
}

/** Only what the reader does himself takes him away from the end: wheel, keys, fingers, the scroll bar. */
function useReaderScroll(
  scroller: RefObject<HTMLDivElement | null>,
  anchor: RefObject<Anchor | undefined>,
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
      anchor.current = findAnchor(place);
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
  }, [scroller, anchor, note]);
}

/** Rows in the middle changed: the row that was read goes back to where it was. */
function putBack(place: HTMLElement, anchor: Anchor, rows: readonly Row[], list: VirtualizerHandle | null): void {
  const put = () => {
    const element = rowElement(place, anchor.key);
    if (element) {
      place.scrollTop += element.getBoundingClientRect().top - place.getBoundingClientRect().top - anchor.top;
      return;
    }
    const at = rows.findIndex((row) => row.key === anchor.key);
    if (at >= 0 && list) list.scrollTo(list.getItemOffset(at) - anchor.top);
  };
  put();
  requestAnimationFrame(put);
}
