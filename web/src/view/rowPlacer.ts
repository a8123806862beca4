// Scrolls a long list to one of its rows. Rows on the way are drawn and measured only then, so the row is put in its place again, frame
// by frame, until it stays there or the reader moves. The list's own `scrollToIndex` goes on for as long as anything in the list is
// measured: while an answer streams, that is against the reader's hand and away from the end.

/** How far below the upper edge a row is to stand, given its height and the height of the window. */
type Spot = (height: number, window: number) => number;

export const SPOTS = {
  start: () => 0,
  center: (height, window) => (window - height) / 2,
  end: (height, window) => window - height,
} satisfies Record<string, Spot>;

export type Align = keyof typeof SPOTS;

export type PlacedRow = {
  /** Its element, once it is drawn. */
  element: () => HTMLElement | undefined;
  /** Where the list expects it until then. */
  offset: () => number;
};

/** So many frames a row may take to be drawn, and so many more rows around it to be measured. */
const UNTIL_DRAWN = 30;
const UNTIL_MEASURED = 8;

export class RowPlacer {
  private latest = 0;

  /** The reader moves, or goes elsewhere. */
  stop(): void {
    this.latest++;
  }

  put(scroller: HTMLElement, row: PlacedRow, spot: Spot): void {
    const mine = ++this.latest;
    const step = (frames: number): void => {
      if (mine !== this.latest) return;
      const element = row.element();
      const top = spot(element?.offsetHeight ?? 0, scroller.clientHeight);
      const now = element
        ? element.getBoundingClientRect().top - scroller.getBoundingClientRect().top
        : row.offset() - scroller.scrollTop;
      if (Math.abs(now - top) > 0.5) scroller.scrollTop += now - top;
      const left = element ? Math.min(frames, UNTIL_MEASURED) : frames;
      if (left > 0) requestAnimationFrame(() => step(left - 1));
    };
    step(UNTIL_DRAWN);
  }
}

/** Where a row must go to be seen, if it is not. */
export function edgeOutOfSight(scroller: HTMLElement, row: HTMLElement): "start" | "end" | undefined {
  const [box, sight] = [row.getBoundingClientRect(), scroller.getBoundingClientRect()];
  if (box.top < sight.top) return "start";
  return box.bottom > sight.bottom ? "end" : undefined;
}
