// Puts the focus on something that is about to be drawn.

/** So many frames it may take. */
const FRAMES = 60;

/** As soon as it is there and takes the focus; not if the user has gone elsewhere meanwhile. */
export function focusWhenDrawn(find: () => HTMLElement | null | undefined): void {
  const from = document.activeElement;
  const take = (frames: number): void => {
    const active = document.activeElement;
    if (active !== from && active !== document.body) return;
    const element = find();
    element?.focus();
    const isThere = element && document.activeElement === element;
    if (!isThere && frames > 0) requestAnimationFrame(() => take(frames - 1));
  };
  requestAnimationFrame(() => take(FRAMES));
}
