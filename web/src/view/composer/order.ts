// Where a queued message goes: the order, one that is moved, and where to in; the one that it is to stand before out. Pure.

/** Dropped on another one: it takes that one's place. */
export function beforeWhenDropped(order: readonly string[], moved: string, onto: string): string | undefined {
  const [from, to] = [order.indexOf(moved), order.indexOf(onto)];
  return from < to ? order[to + 1] : onto;
}

/** Moved one place by the keyboard. Nothing if there is no such place. */
export function beforeWhenShifted(
  order: readonly string[],
  moved: string,
  by: 1 | -1,
): { before: string | undefined } | undefined {
  const to = order.indexOf(moved) + by;
  if (to < 0 || to >= order.length) return undefined;
  return { before: by < 0 ? order[to] : order[to + 1] };
}
