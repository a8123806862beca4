// Why the agent wants something, in its own words: what it said last before it asked. Items and an ask go in, words come out.
// Pure.

import type { Ask, Item } from "../../generated";

/** More than this is not read in a card. */
const MOST = 280;

export function reasonOf(items: readonly Item[], ask: Ask): string | undefined {
  // A subagent's words are not those of the conversation.
  if (ask.agentId !== undefined) return undefined;
  const before = items.filter((item) => item.parent === undefined && item.order[0] < ask.seq);
  const last = before.findLast(({ body }) => body.kind === "text" || body.kind === "user" || body.kind === "turn");
  if (last?.body.kind !== "text") return undefined;
  const words = last.body.text.text
    .replace(/[`*_#]+/g, "")
    .replace(/\s+/g, " ")
    .trim();
  if (words === "") return undefined;
  return words.length > MOST ? `${words.slice(0, MOST - 1)}…` : words;
}
