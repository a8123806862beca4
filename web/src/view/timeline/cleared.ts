// Where the reader has cleared the view: what stands before is folded away, on this page alone. Rows and the place in, the rows that
// are left out.

import type { Order } from "../../generated";
import { compareOrder } from "../../store/items";
import type { Row } from "../../store/rows";
import type { SessionStore } from "../../store/session";
import { Shared, useShared } from "../../store/shared";

export type Cleared = { after: Order; at: number };

const places = new Shared<ReadonlyMap<string, Cleared>>(new Map());

/** Folds all that is there now. False if there is nothing. */
export function clearView(session: SessionStore): boolean {
  const after = session.items().at(-1)?.order;
  if (after === undefined) return false;
  places.set(new Map([...places.get(), [session.id, { after, at: Date.now() }]]));
  return true;
}

export function showAgain(session: string): void {
  places.set(new Map([...places.get()].filter(([id]) => id !== session)));
}

/** Shows all again if this item is folded away: somebody looks for it. */
export function uncover(session: SessionStore, item: string): void {
  const [cleared, order] = [places.get().get(session.id), session.item(item)?.order];
  if (cleared && order && compareOrder(order, cleared.after) <= 0) showAgain(session.id);
}

export const useCleared = (session: string): Cleared | undefined => useShared(places).get(session);

/** The rows that came after that place. */
export function rowsAfter(
  rows: readonly Row[],
  cleared: Cleared | undefined,
  orderOf: (item: string) => Order | undefined,
): readonly Row[] {
  if (cleared === undefined) return rows;
  const isAfter = (row: Row | undefined): boolean => {
    if (row === undefined) return false;
    const order = "id" in row ? orderOf(row.id) : undefined;
    return order !== undefined && compareOrder(order, cleared.after) > 0;
  };
  // A turn that ends later has its line before its answer, so one row after the other is looked at. What is no item belongs to the
  // row below it.
  return rows.filter((row, at) => isAfter("id" in row ? row : rows[at + 1]));
}
