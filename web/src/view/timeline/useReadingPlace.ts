// Keeps the reader where he is. At the end he stays at the end, whatever comes; anywhere else what he reads stays where it is; and
// nothing moves while he presses something, for then he would let go of something else.

import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { VirtualizerHandle } from "virtua";
import type { Row } from "../../store/rows";
import { useSession } from "../../store/use";
import { type Align, type PlacedRow, RowPlacer, SPOTS } from "../rowPlacer";
import { type Anchor, anchorOf, cameBefore, countSince, NEAR_END, rowElement } from "./place";
import {
  afterPaint,
  distance,
  goesDown,
  isMoving,
  NEVER,
  type Opened,
  type Touched,
  useReaderScroll,
} from "./useReaderScroll";

export type ReadingPlace = {
  isAtEnd: boolean;
  /** Rows that came since the reader left the end. */
  fresh: number;
  /** Did rows come at the top, and only there? The list keeps the place by itself then. */
  isShift: boolean;
  jump: () => void;
  /** Brings a row into sight; the start of the first one is the top, and the end of the last one is the end. */
  goTo: (row: string, align: Align) => void;
  /** The reader opens or closes something, in this row: nothing may move because of that. */
  release: (row?: string) => void;
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
  const opened = useRef<Opened | undefined>(undefined);
  const isPressed = useRef(false);
  // Has he opened something, and not moved since? Then the page scrolls only late for what he did before, or by itself.
  const isReading = useRef(false);
  const touched = useRef<Touched>({ at: NEVER, number: 0 });
  const anchors = useRef<Anchor[]>([]);
  // What he has just opened or closed: his eye is there.
  const pressed = useRef<Anchor | undefined>(undefined);
  const before = useRef(rows);
  const placer = useRef(new RowPlacer());
  const isShift = cameBefore(before.current, rows);

  // Where it was when the reader or the page scrolled last.
  const last = useRef(0);

  const toEnd = useCallback(() => {
    const place = scroller.current;
    if (!place || isPressed.current || isMoving(touched.current)) return;
    placer.current.stop();
    place.scrollTop = place.scrollHeight;
    last.current = place.scrollTop;
  }, [scroller]);

  const rowOf = useCallback(
    (key: string): PlacedRow => ({
      element: () => (scroller.current ? rowElement(scroller.current, key) : undefined),
      offset: () => list.current?.getItemOffset(before.current.findIndex((row) => row.key === key)) ?? 0,
    }),
    [scroller, list],
  );

  const note = useCallback(
    (end: boolean) => {
      opened.current = undefined;
      if (end) placer.current.stop();
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
    // Rows in the middle changed: the row that was read goes back to where it was.
    if (place && anchor) placer.current.put(place, rowOf(anchor.key), () => anchor.top);
  }, [rows, scroller, rowOf, toEnd, waitFor]);

  const onResize = useCallback(() => {
    const place = scroller.current;
    if (!atEnd.current || !place) return;
    const there = opened.current;
    if (there === undefined) return toEnd();
    if (!there.isDrawn) return;
    const height = heightOf(place, there.row);
    // Something else has grown, below it: that is followed, also when it has gone far up.
    if (there.row !== undefined && (height === undefined || height === there.height)) return toEnd();
    there.height = height;
    if (distance(place) > NEAR_END) note(false);
  }, [scroller, toEnd, note]);

  useReaderScroll(
    scroller,
    anchors,
    { atEnd, opened, pressed, isPressed, isReading, touched, placer, last },
    note,
    onResize,
  );

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

  const goTo = useCallback(
    (row: string, align: Align) => {
      const place = scroller.current;
      placer.current.stop();
      if (align === "end" && before.current.at(-1)?.key === row) jump();
      // What stands above the first row is seen as well.
      else if (place && align === "start" && before.current[0]?.key === row) place.scrollTop = 0;
      else if (place) placer.current.put(place, rowOf(row), SPOTS[align]);
    },
    [scroller, rowOf, jump],
  );

  return { isAtEnd, fresh: countSince(rows, leftAt), isShift, jump, goTo, release, onResize };
}

const heightOf = (place: HTMLElement, row: string | undefined): number | undefined =>
  row === undefined ? undefined : rowElement(place, row)?.offsetHeight;

/** Were rows only added at the end, or none? Then nothing that is read moves. */
function isAppended(before: readonly Row[], after: readonly Row[]): boolean {
  return after.length >= before.length && before.every((row, at) => row.key === after[at]?.key);
}
