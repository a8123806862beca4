// The items of a conversation: found by id, walked in order. The twin of `insights::state::Items`.

import type { Item, Order } from "../generated";

/** Which of two places comes first: negative if the first does. */
export function compareOrder(a: Order, b: Order): number {
  return a[0] - b[0] || a[1] - b[1];
}

/** Of two items in one place the one with the smaller id stands first, by the order of its bytes. */
function compareItems(a: Item, b: Item): number {
  return compareOrder(a.order, b.order) || compareBytes(a.id, b.id);
}

/** Ids are ASCII, so the order of their code units is that of their bytes. */
function compareBytes(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

export class Items {
  private readonly byId = new Map<string, Item>();
  private inOrder: Item[] = [];

  constructor(items: Item[] = []) {
    for (const item of items) this.byId.set(item.id, item);
    this.inOrder = [...this.byId.values()].sort(compareItems);
  }

  get(id: string): Item | undefined {
    return this.byId.get(id);
  }

  get size(): number {
    return this.byId.size;
  }

  /** All of them, in order. Not to be changed. */
  all(): readonly Item[] {
    return this.inOrder;
  }

  /** Puts an item in its place, and takes away the one that has its id. True if the place is the same as before. */
  put(item: Item): boolean {
    const before = this.byId.get(item.id);
    this.byId.set(item.id, item);
    if (before && compareOrder(before.order, item.order) === 0) {
      this.inOrder[this.place(before)] = item;
      return true;
    }
    if (before) this.inOrder.splice(this.place(before), 1);
    this.inOrder.splice(this.place(item), 0, item);
    return false;
  }

  remove(id: string): boolean {
    const item = this.byId.get(id);
    if (!item) return false;
    this.inOrder.splice(this.place(item), 1);
    return this.byId.delete(id);
  }

  /** Where an item stands, or would stand. New ones come last, so that is looked at first. */
  private place(item: Item): number {
    const last = this.inOrder.at(-1);
    if (!last || compareItems(last, item) < 0) return this.inOrder.length;
    let [low, high] = [0, this.inOrder.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const there = this.inOrder[middle];
      if (there && compareItems(there, item) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
