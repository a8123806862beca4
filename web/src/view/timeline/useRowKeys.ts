// One tab stop for the whole conversation: the arrow keys walk from row to row, Enter opens, Home and End go to the ends.

import { type FocusEvent, type KeyboardEvent, type RefObject, useEffect, useRef, useState } from "react";
import type { Row } from "../../store/rows";
import { type Align, edgeOutOfSight } from "../rowPlacer";
import { rowElement } from "./place";

/** So many frames are given to a row that is drawn and measured only now. */
const FRAMES = 30;

export function useRowKeys(
  rows: readonly Row[],
  scroller: RefObject<HTMLDivElement | null>,
  goTo: (row: string, align: Align) => void,
) {
  const [chosen, setChosen] = useState<string | undefined>();
  const wanted = useRef<string | undefined>(undefined);
  const found = chosen === undefined ? -1 : rows.findIndex((row) => row.key === chosen);
  const active = found < 0 ? rows.length - 1 : found;

  // The row may only now have been drawn. Until it has been measured it is hidden, and takes no focus.
  useEffect(() => {
    const place = scroller.current;
    if (!place || wanted.current === undefined || wanted.current !== chosen) return;
    const from = document.activeElement;
    let frame = 0;
    const take = (frames: number) => {
      const active = document.activeElement;
      const isElsewhere = active !== from && active !== document.body && !place.contains(active);
      if (isElsewhere) return;
      const element = rowElement(place, chosen);
      element?.focus({ preventScroll: true });
      if (element && document.activeElement === element) wanted.current = undefined;
      else if (frames > 0) frame = requestAnimationFrame(() => take(frames - 1));
    };
    take(FRAMES);
    return () => cancelAnimationFrame(frame);
  });

  /** Goes to a row; with the focus, unless somebody wants to keep it. */
  const walk = (to: number, align: Align | "nearest" = "nearest", isQuiet = false) => {
    const at = Math.min(rows.length - 1, Math.max(0, to));
    const key = rows[at]?.key;
    if (key === undefined) return;
    const edge = align === "nearest" ? edgeFor(scroller.current, key, at < active) : align;
    if (edge) goTo(key, edge);
    wanted.current = isQuiet ? undefined : key;
    setChosen(key);
  };

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || target.closest("dialog, .scrolls[tabindex]")) return;
    const isRow = target.dataset.key !== undefined;
    const toggle = isRow ? target.querySelector<HTMLElement>("[data-toggle]") : null;
    const isOpen = toggle?.getAttribute("aria-expanded") === "true";
    const does = KEYS[event.key];
    if (does === undefined || (does === "press" && !isRow)) return;
    event.preventDefault();
    if (does === "press") toggle?.click();
    else if (does === "open") !isOpen && toggle?.click();
    else if (does === "close") isOpen && toggle?.click();
    else walk(does(active, rows.length), event.key === "End" ? "end" : "nearest");
  };

  const onFocus = (event: FocusEvent<HTMLElement>) => {
    const key = (event.target as HTMLElement).closest<HTMLElement>("[data-key]")?.dataset.key;
    if (key !== undefined) setChosen(key);
  };

  return { active, onKeyDown, onFocus, walk };
}

/** Where a row must go to be seen, if it is not. One that is not drawn is out of sight. */
function edgeFor(scroller: HTMLElement | null, key: string, isBefore: boolean): "start" | "end" | undefined {
  const row = scroller && rowElement(scroller, key);
  if (row) return edgeOutOfSight(scroller, row);
  return isBefore ? "start" : "end";
}

const KEYS: Record<string, "press" | "open" | "close" | ((at: number, count: number) => number)> = {
  ArrowDown: (at) => at + 1,
  ArrowUp: (at) => at - 1,
  Home: () => 0,
  End: (_, count) => count - 1,
  Enter: "press",
  " ": "press",
  ArrowRight: "open",
  ArrowLeft: "close",
};
