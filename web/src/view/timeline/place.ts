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

/** Where a row is, seen from the upper edge. */
export type Anchor = { key: string; top: number };

/** The eye rests somewhat above the middle. */
const EYE = 0.35;

/** The rows that are seen, those that are read most likely first: some of them may go away. */
export function findAnchors(scroller: HTMLElement): Anchor[] {
  const { top: edge, height } = scroller.getBoundingClientRect();
  const eye = height * EYE;
  const seen: (Anchor & { far: number })[] = [];
  for (const row of scroller.querySelectorAll<HTMLElement>("[data-key]")) {
    const box = row.getBoundingClientRect();
    const [top, bottom] = [box.top - edge, box.bottom - edge];
    if (bottom <= 0 || top >= height || row.dataset.key === undefined) continue;
    const far = top > eye ? top - eye : bottom < eye ? eye - bottom : 0;
    seen.push({ key: row.dataset.key, top, far });
  }
  return seen.sort((a, b) => a.far - b.far);
}

/** Where this row is now. */
export function anchorOf(scroller: HTMLElement, key: string): Anchor | undefined {
  const box = rowElement(scroller, key)?.getBoundingClientRect();
  return box && { key, top: box.top - scroller.getBoundingClientRect().top };
}

export function rowElement(scroller: HTMLElement, key: string): HTMLElement | undefined {
  return [...scroller.querySelectorAll<HTMLElement>("[data-key]")].find((row) => row.dataset.key === key);
}
