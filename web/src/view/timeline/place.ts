// Where the reader is in a list of rows that grows, shrinks and folds: at its end, or at a row that must not move under his eyes.

import type { Row } from "../../store/rows";

/** Nearer to the end than this is at the end. */
export const NEAR_END = 40;

/** Did rows come before those that were there, and nowhere else? */
export function cameBefore(before: readonly Row[], after: readonly Row[]): boolean {
  const first = before[0]?.key;
  const last = before.at(-1)?.key;
  if (first === undefined || after[0]?.key === first || after.at(-1)?.key !== last) return false;
  const at = after.findIndex((row) => row.key === first);
  return at > 0 && after.length - at === before.length;
}

/** How many rows came since this one was the last. */
export function countSince(rows: readonly Row[], key: string | undefined): number {
  if (key === undefined) return 0;
  const at = rows.findIndex((row) => row.key === key);
  // It may have been folded away since; then nobody knows.
  return at < 0 ? 0 : rows.length - 1 - at;
}

/** The row that is read: the first whose end is below the upper edge, and how far its start is from there. */
export type Anchor = { key: string; top: number };

export function findAnchor(scroller: HTMLElement): Anchor | undefined {
  const edge = scroller.getBoundingClientRect().top;
  for (const row of rowElements(scroller)) {
    const { top, bottom } = row.getBoundingClientRect();
    const { key } = row.dataset;
    if (bottom > edge + 1 && key !== undefined) return { key, top: top - edge };
  }
  return undefined;
}

export function rowElements(scroller: HTMLElement): HTMLElement[] {
  return [...scroller.querySelectorAll<HTMLElement>("[data-key]")].sort(
    (a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top,
  );
}

export function rowElement(scroller: HTMLElement, key: string): HTMLElement | undefined {
  return [...scroller.querySelectorAll<HTMLElement>("[data-key]")].find((row) => row.dataset.key === key);
}
