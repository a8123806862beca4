// Keeps the reader where he is. At the end he stays at the end, whatever comes; anywhere else what he reads stays where it is; and
// nothing moves while he presses something, for then he would let go of something else.

import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { VirtualizerHandle } from "virtua";
import type { Row } from "../../store/rows";
import { useSession } from "../../store/use";
import { type Anchor, anchorOf, cameBefore, countSince, findAnchors, NEAR_END, rowElement } from "./place";

export type ReadingPlace = {
  isAtEnd: boolean;
  /** Rows that came since the reader left the end. */
  fresh: number;
  /** Did rows come at the top, and only there? The list keeps the place by itself then. */
  isShift: boolean;
  jump: () => void;
  /** The reader opens or closes something, in this row: nothing may move because of that. */
  release: (row?: string) => void;
  onResize: () => void;
};

/** Something that the reader has opened at the end. It may grow late, when what draws it has been fetched. */
type Opened = {
  /** Its row; none where he was led to. */
  row: string | undefined;
  height: number | undefined;
  /** Has it been drawn as it was at first? */
  isDrawn: boolean;
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
  const opened = useRef<Opened | undefined>(undefined);
  const isPressed = useRef(false);
  // Has he opened something, and not moved since? Then the page scrolls only late for what he did before, or by itself.
  const isReading = useRef(false);
  const touched = useRef<Touched>({ at: NEVER, number: 0 });
  const anchors = useRef<Anchor[]>([]);
  // What he has just opened or closed: his eye is there.
  const pressed = useRef<Anchor | undefined>(undefined);
  const before = useRef(rows);
  const isShift = cameBefore(before.current, rows);

  const toEnd = useCallback(() => {
    const place = scroller.current;
    if (place && !isPressed.current && !isMoving(touched.current)) place.scrollTop = place.scrollHeight;
  }, [scroller]);

  const note = useCallback(
    (end: boolean) => {
      opened.current = undefined;
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

  /** What was opened is given time to be drawn; if it has pushed the end out of sight, the reader stays with it. */
  const waitFor = useCallback(
    (mine: Opened) => {
      mine.isDrawn = false;
      afterPaint(() => {
        const place = scroller.current;
        if (opened.current !== mine || !place) return;
        mine.isDrawn = true;
        mine.height = heightOf(place, mine.row);
        if (distance(place) > NEAR_END) note(false);
      });
    },
    [scroller, note],
  );

  useLayoutEffect(() => {
    const last = before.current;
    before.current = rows;
    const isAsBefore = isAppended(last, rows);
    if (atEnd.current) {
      // Rows in between: something was unfolded.
      if (opened.current && !isAsBefore) waitFor(opened.current);
      else if (opened.current?.isDrawn !== false) return toEnd();
    }
    if (last === rows || isAsBefore || cameBefore(last, rows)) return;
    const place = scroller.current;
    const keys = new Set(rows.map((row) => row.key));
    const isThere = ({ key }: Anchor) => keys.has(key);
    const anchor = [pressed.current, ...anchors.current].find((seen) => seen !== undefined && isThere(seen));
    pressed.current = undefined;
    if (place && anchor) putBack(place, anchor, rows, list.current);
  }, [rows, scroller, list, toEnd, waitFor]);

  const onResize = useCallback(() => {
    const place = scroller.current;
    if (!atEnd.current || !place) return;
    const there = opened.current;
    if (there === undefined) return toEnd();
    if (!there.isDrawn) return;
    const height = heightOf(place, there.row);
    // Something else has grown, below it: that is followed.
    if (there.row !== undefined && height === there.height) return toEnd();
    there.height = height;
    if (distance(place) > NEAR_END) note(false);
  }, [scroller, toEnd, note]);

  useReaderScroll(scroller, anchors, { atEnd, opened, pressed, isPressed, isReading, touched }, note, onResize);

  // How long what is opened takes to come nobody knows. So no clock ends this, but what the reader does next.
  const release = useCallback(
    (row?: string) => {
      isReading.current = true;
      const place = scroller.current;
      pressed.current = place && row !== undefined ? anchorOf(place, row) : undefined;
      if (!place) return;
      const mine = { row, height: heightOf(place, row), isDrawn: false };
      if (atEnd.current) {
        opened.current = mine;
        waitFor(mine);
        return;
      }
      // Closing what had pushed the end out of sight brings it back, and the reader follows it again.
      afterPaint(() => {
        if (atEnd.current || !isReading.current || distance(place) > NEAR_END) return;
        note(true);
        opened.current = { row, height: heightOf(place, row), isDrawn: true };
      });
    },
    [scroller, waitFor, note],
  );

  const jump = useCallback(() => {
    isReading.current = false;
    goesDown(touched.current);
    note(true);
    toEnd();
    // Rows that were never drawn are measured now, and the end moves.
    requestAnimationFrame(toEnd);
  }, [note, toEnd]);

  return { isAtEnd, fresh: countSince(rows, leftAt), isShift, jump, release, onResize };
}

/** Once what is there now has been laid out and seen. */
function afterPaint(then: () => void): void {
  requestAnimationFrame(() => requestAnimationFrame(then));
}

const distance = (place: HTMLElement): number => place.scrollHeight - place.scrollTop - place.clientHeight;

const heightOf = (place: HTMLElement, row: string | undefined): number | undefined =>
  row === undefined ? undefined : rowElement(place, row)?.offsetHeight;

/** Were rows only added at the end, or none? Then nothing that is read moves. */
function isAppended(before: readonly Row[], after: readonly Row[]): boolean {
  return after.length >= before.length && before.every((row, at) => row.key === after[at]?.key);
}

/** What the reader does, and what he has done. */
type Hand = {
  atEnd: RefObject<boolean>;
  opened: RefObject<Opened | undefined>;
  pressed: RefObject<Anchor | undefined>;
  isPressed: RefObject<boolean>;
  isReading: RefObject<boolean>;
  touched: RefObject<Touched>;
};

/** When he last did something that may take him up. For a while after that the page scrolls because of him. */
type Touched = { at: number; number: number };

const NEVER = Number.NEGATIVE_INFINITY;
const NOW = Number.POSITIVE_INFINITY;

/** On a busy machine the page scrolls long after the press: time counts from when that can have been seen. */
function touch(touched: Touched, onPaint: () => void): void {
  const mine = ++touched.number;
  touched.at = NOW;
  afterPaint(() => {
    if (touched.number !== mine) return;
    touched.at = performance.now();
    onPaint();
  });
}

/** Has the reader just pressed a key or turned the wheel, so that the page may be about to scroll up? */
const isMoving = (touched: Touched): boolean => touched.at === NOW;

/** He goes to the end: what goes up after that is the page itself, where rows are measured only now. */
function goesDown(touched: Touched): void {
  touched.number++;
  touched.at = NEVER;
}

const isDownward = (event: Event): boolean =>
  event instanceof KeyboardEvent
    ? event.key === "End" || event.key === "PageDown"
    : event instanceof WheelEvent && event.deltaY > 0;

/** Only what the reader does himself takes him away from the end: wheel, keys, fingers, the scroll bar. */
function useReaderScroll(
  scroller: RefObject<HTMLDivElement | null>,
  anchors: RefObject<Anchor[]>,
  { atEnd, opened, pressed, isPressed, isReading, touched }: Hand,
  note: (end: boolean) => void,
  onSettled: () => void,
): void {
  useEffect(() => {
    const place = scroller.current;
    if (!place) return;
    let last = place.scrollTop;
    const move = (event: Event) => {
      // He goes elsewhere: nothing is put back any more.
      putting++;
      if (isDownward(event)) goesDown(touched.current);
      else touch(touched.current, onSettled);
      // From here on he goes up or down, wherever the page itself has gone since it last told.
      last = place.scrollTop;
      // He has done with what he opened.
      opened.current = undefined;
      isReading.current = false;
      if (!atEnd.current && distance(place) < NEAR_END) note(true);
    };
    const press = (event: PointerEvent) => {
      // Another button opens a menu of the browser's, and who lets go of it there is not heard here.
      if (event.button !== 0) return;
      isPressed.current = true;
      isReading.current = false;
      putting++;
    };
    const lift = () => {
      if (!isPressed.current) return;
      isPressed.current = false;
      putting++;
      // What came meanwhile is followed once what he pressed has happened.
      touch(touched.current, onSettled);
    };
    const glide = (event: PointerEvent) => {
      if (event.buttons === 0) lift();
    };
    const scroll = () => {
      const isUp = place.scrollTop < last - 1;
      last = place.scrollTop;
      const isNear = distance(place) < NEAR_END;
      if (isPressed.current) opened.current = undefined;
      if (isNear && !isReading.current) note(true);
      else if (!isNear && isUp && (isPressed.current || performance.now() - touched.current.at < 800)) note(false);
      pressed.current = undefined;
      anchors.current = findAnchors(place);
    };
    const off = new AbortController();
    const quietly = { passive: true, signal: off.signal } as const;
    place.addEventListener("scroll", scroll, quietly);
    place.addEventListener("wheel", move, quietly);
    place.addEventListener("touchmove", move, quietly);
    place.addEventListener("keydown", move, quietly);
    place.addEventListener("pointerdown", press, quietly);
    place.addEventListener("pointermove", glide, quietly);
    for (const end of ["pointerup", "pointercancel", "contextmenu", "blur"]) addEventListener(end, lift, quietly);
    return () => off.abort();
  }, [scroller, anchors, atEnd, opened, pressed, isPressed, isReading, touched, note, onSettled]);
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
