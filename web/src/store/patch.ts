// Does what a change says, and nothing else: the twin of `State::patch` in Rust, held to it by `fixtures/contract`.

import type { Change, Clip, Item, ItemBody, Order, State } from "../generated";
import { compareOrder, Items } from "./items";

/** A session as a screen holds it: the header's parts are replaced as a whole, items are put, grown and dropped. */
export type Held = Omit<State, "items"> & { items: Items };

/** What a change touched. */
export type Touched =
  | "status"
  | "meters"
  | "catalog"
  | "tasks"
  | "jobs"
  | "mcp"
  | "queue"
  | "asks"
  /** An item is another; it stands where it stood. */
  | { item: string }
  /** Which items there are, or where they stand. */
  | { moved: string };

export function hold(state: State): Held {
  return { ...state, items: new Items(state.items) };
}

/** The same as the wire has it. */
export function release(held: Held): State {
  return { ...held, items: [...held.items.all()] };
}

/** Does one change. What stands before the floor is not held, so changes of it change nothing. */
export function patch(held: Held, change: Change): Touched | undefined {
  switch (change.change) {
    case "status":
      held.status = change.status;
      return "status";
    case "meters":
      held.meters = change.meters;
      return "meters";
    case "catalog":
      held.catalog = change.catalog;
      return "catalog";
    case "tasks":
      held.tasks = change.tasks;
      return "tasks";
    case "jobs":
      held.jobs = change.jobs;
      return "jobs";
    case "mcp":
      held.mcp = change.servers;
      return "mcp";
    case "queue":
      held.queue = change.queue;
      return "queue";
    case "asks":
      held.asks = change.asks;
      return "asks";
    case "put":
      return put(held, change.item);
    case "append":
      return append(held, change.id, change.text);
    case "drop":
      return held.items.remove(change.id) ? { moved: change.id } : undefined;
    default:
      // A newer server says more than this page knows; it will be told to load itself again.
      change satisfies never;
      return undefined;
  }
}

function put(held: Held, item: Item): Touched | undefined {
  if (isBelow(item.order, held.floor)) {
    return held.items.remove(item.id) ? { moved: item.id } : undefined;
  }
  return held.items.put(item) ? { item: item.id } : { moved: item.id };
}

function append(held: Held, id: string, text: string): Touched | undefined {
  const item = held.items.get(id);
  const body = item && grown(item.body, text);
  if (!item || !body) return undefined;
  held.items.put({ ...item, body });
  return { item: id };
}

/** The body with more text; none if it is of a kind that does not grow. */
function grown(body: ItemBody, text: string): ItemBody | undefined {
  const longer = (clip: Clip): Clip => ({ ...clip, text: clip.text + text });
  switch (body.kind) {
    case "text":
    case "thinking":
      return { ...body, text: longer(body.text) };
    case "tool":
    case "agent":
      return { ...body, input: longer(body.input) };
    default:
      return undefined;
  }
}

function isBelow(order: Order, floor: Order): boolean {
  return compareOrder(order, floor) < 0;
}
