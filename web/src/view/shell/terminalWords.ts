// Which conversations of terminals the list shows, and what is said about one: transcripts and what is known here go in. Pure.

import type { Row } from "../../api/frames";
import type { Transcript } from "../../api/server";
import { finder, when } from "../words";

/** Older ones are found where a session is resumed. */
const RECENT_MS = 24 * 3_600_000;
const SHOWN = 12;

/** Those that are not here yet and were written lately, the last one first. */
export function foreign(
  all: readonly Transcript[],
  isHere: (session: string) => boolean,
  now: number,
  filter: string,
): Transcript[] {
  const fits = finder(filter);
  return all
    .filter(({ session, known, modifiedAt, running }) => {
      const isNew = running || now - modifiedAt < RECENT_MS;
      return isNew && !known && !isHere(session);
    })
    .filter(({ title, cwd }) => fits(`${title ?? ""} ${cwd ?? ""}`))
    .sort((a, b) => b.modifiedAt - a.modifiedAt)
    .slice(0, SHOWN);
}

/** Transcripts by the session that has them. */
export function byRow(all: readonly Transcript[]): ReadonlyMap<string, Transcript> {
  return new Map(all.map((transcript) => [transcript.known ?? transcript.session, transcript]));
}

/** The conversation of a session, where it is held in a terminal: one that was only taken in, or that somebody works on there. */
export function terminalOf(row: Row, all: ReadonlyMap<string, Transcript>): Transcript | undefined {
  if (row.phase !== "asleep") return undefined;
  const mine = all.get(row.id);
  return mine && isElsewhere(mine, row) ? mine : undefined;
}

/** What is written so long after the agent here has ended, another program has written. */
const AFTER_MS = 5000;

/** Is a conversation whose agent does not run here held elsewhere? Without a turn of its own, nothing was ever run here. */
export function isElsewhere({ running, modifiedAt }: Transcript, here: { turns: number; since: number }): boolean {
  return running || here.turns === 0 || modifiedAt > here.since + AFTER_MS;
}

/** "In a terminal now", "In a terminal, 2 m ago" */
export function terminalWords(
  { running, modifiedAt }: Pick<Transcript, "running" | "modifiedAt">,
  now: number,
): string {
  const words = when(modifiedAt, now);
  if (running) return `In a terminal now, last written ${now - modifiedAt < 3_600_000 ? `${words} ago` : words}`;
  return now - modifiedAt < 3_600_000 ? `In a terminal, ${words} ago` : `In a terminal, ${words}`;
}
