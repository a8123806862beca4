// Where a fork is cut that begins before a message of a person: the items in their order and that message go in; the last line
// of the agent before it, what is kept and how much is left out come out. Pure.

import type { Item } from "../../generated";

export type ForkPoint = {
  /** The line of the agent that the fork ends with. None: there is nothing before the message. */
  at: string | undefined;
  /** What is kept, the oldest first: what a person said, and what the agent answered. */
  kept: readonly Item[];
  /** Messages of people that are left out, with the one that it is about. */
  leftOut: number;
};

export function forkPoint(items: readonly Item[], message: string): ForkPoint {
  const top = items.filter((item) => item.parent === undefined);
  const place = top.findIndex(({ id }) => id === message);
  const before = place < 0 ? [] : top.slice(0, place);
  const at = before.findLast((item) => isOfAgent(item) && item.uuid !== undefined)?.uuid;
  return {
    at,
    kept: before.filter((item) => isPerson(item) || item.body.kind === "text"),
    leftOut: place < 0 ? 0 : top.slice(place).filter(isPerson).length,
  };
}

/** Was it made of a line that the agent has in its own conversation? */
function isOfAgent(item: Item): boolean {
  switch (item.body.kind) {
    case "text":
    case "thinking":
    case "tool":
    case "agent":
      return true;
    default:
      return false;
  }
}

const isPerson = (item: Item): boolean => item.body.kind === "user" && item.body.role === "person";
