// What the reader does himself, and when that takes him away from the end or back to it.

import { type RefObject, useEffect } from "react";
import type { RowPlacer } from "../rowPlacer";
import { type Anchor, findAnchors, NEAR_END } from "./place";

/** Something that the reader has opened at the end. It may grow late, when what draws it has been fetched. */
export type Opened = {
  /** Its row; none where he was led to. */
  row: string | undefined;
  height: number | undefined;
  /** Has it been drawn as it was at first? */
  isDrawn: boolean;
};

/** Once what is there now has been laid out and seen. */
export function afterPaint(then: () => void): void {
  requestAnimationFrame(() => requestAnimationFrame(then));
}

export const distance = (place: HTMLElement): number => place.scrollHeight - place.scrollTop - place.clientHeight;

/** What the reader does, and what he has done. */
type Hand = {
  atEnd: RefObject<boolean>;
  opened: RefObject<Opened | undefined>;
  pressed: RefObject<Anchor | undefined>;
  isPressed: RefObject<boolean>;
  isReading: RefObject<boolean>;
  touched: RefObject<Touched>;
  placer: RefObject<RowPlacer>;
  /** Where it was when he or the page scrolled last. */
  last: RefObject<number>;
};

/** When he last did something that may take him up. For a while after that the page scrolls because of him. */
export type Touched = { at: number; number: number };

export const NEVER = Number.NEGATIVE_INFINITY;
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
export const isMoving = (touched: Touched): boolean => touched.at === NOW;

/** He goes to the end: what goes up after that is the page itself, where rows are measured only now. */
export function goesDown(touched: Touched): void {
  touched.number++;
  touched.at = NEVER;
}

const isDownward = (event: Event): boolean =>
  event instanceof KeyboardEvent
    ? event.key === "End" || event.key === "PageDown"
    : event instanceof WheelEvent && event.deltaY > 0;

/** Only what the reader does himself takes him away from the end: wheel, keys, fingers, the scroll bar. */
export function useReaderScroll(
  scroller: RefObject<HTMLDivElement | null>,
  anchors: RefObject<Anchor[]>,
  { atEnd, opened, pressed, isPressed, isReading, touched, placer, last }: Hand,
  note: (end: boolean) => void,
  onSettled: () => void,
): void {
  useEffect(() => {
    const place = scroller.current;
    if (!place) return;
    last.current = place.scrollTop;
    const move = (event: Event) => {
      // He goes elsewhere: no row is put in its place any more.
      placer.current.stop();
      if (isDownward(event)) goesDown(touched.current);
      else touch(touched.current, onSettled);
      // He has done with what he opened.
      opened.current = undefined;
      isReading.current = false;
      // A wheel scrolls before it is heard here, and before the page says that it has scrolled.
      look();
      if (!atEnd.current && distance(place) < NEAR_END) note(true);
    };
    const press = (event: PointerEvent) => {
      // Another button opens a menu of the browser's, and who lets go of it there is not heard here.
      if (event.button !== 0) return;
      isPressed.current = true;
      isReading.current = false;
      placer.current.stop();
    };
    const lift = () => {
      if (!isPressed.current) return;
      isPressed.current = false;
      placer.current.stop();
      // What came meanwhile is followed once what he pressed has happened.
      touch(touched.current, onSettled);
    };
    const glide = (event: PointerEvent) => {
      if (event.buttons === 0) lift();
    };
    /** Has he gone up, away from the end? */
    const look = () => {
      const isUp = place.scrollTop < last.current - 1;
      last.current = place.scrollTop;
      const isHis = isPressed.current || performance.now() - touched.current.at < 800;
      if (isUp && isHis && distance(place) >= NEAR_END) note(false);
    };
    const scroll = () => {
      if (isPressed.current) opened.current = undefined;
      look();
      if (distance(place) < NEAR_END && !isReading.current) note(true);
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
  }, [scroller, anchors, atEnd, opened, pressed, isPressed, isReading, touched, placer, last, note, onSettled]);
}
