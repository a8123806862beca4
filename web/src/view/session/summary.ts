// The last summary of a conversation: items go in; what it says, when it was made, and how many turns are not in it come out. And
// what a new session is told of it. Pure.

import type { Clip, Item, UnixMillis } from "../../generated";

export type Summary = { item: string; at: UnixMillis; words: Clip; turnsSince: number };

/** None if the last thing that was done to the context left none. */
export function lastSummary(items: readonly Item[]): Summary | undefined {
  let turnsSince = 0;
  for (const { id, at, body, parent } of items.toReversed()) {
    if (parent !== undefined) continue;
    if (body.kind === "compaction" && body.error === undefined) {
      return body.summary === undefined ? undefined : { item: id, at, words: body.summary, turnsSince };
    }
    if (body.kind === "turn" && body.outcome !== "command") turnsSince += 1;
  }
  return undefined;
}

/** The first message of a session that goes on from there. What the CLI told its own model beside the summary is left out. */
export function summaryMessage(title: string, words: string): string {
  const plain = words.replace(/<system-reminder>[\s\S]*?<\/system-reminder>\s*/g, "").trim();
  return `Go on from the summary of an earlier session, “${title}”:\n\n${plain}\n`;
}
