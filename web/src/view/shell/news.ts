// What is said aloud when sessions change: the rows before and after go in, what happened comes out, each of it once.

import type { Asking, Row } from "../../api/frames";
import type { Group } from "../../store/sessions";
import { dollars, inside } from "../words";

/** What each kind of question makes of a session, after its title. */
const ASKS: Record<Asking, string> = {
  permission: "needs permission",
  question: "has a question",
  plan: "has a plan",
  elicitation: "has a question",
  dialog: "shows a dialog",
};

/** Did its process fail, or its last turn? */
export const isFailed = (row: Row): boolean => row.phase === "failed" || (row.failed ?? null) !== null;

/** What of a row is worth telling. */
export type Told = {
  title: string;
  group: Group;
  asks: number;
  needsYou: string;
  kind: Asking;
  costUsd: number;
  turns: number;
  failed: boolean;
};

export function toldOf(row: Row, title: string, group: Group, kind: Asking): Told {
  return {
    title,
    group,
    kind,
    asks: row.asks,
    needsYou: inside(row.needsYou ?? row.words, row.cwd),
    costUsd: row.costUsd,
    turns: row.turns,
    failed: isFailed(row),
  };
}

export type News = {
  kind: "needsYou" | "answered" | "started" | "finished" | "failed";
  /** For who hears the page: the session and what happened to it. */
  sentence: string;
  /** What happened, without the session. */
  words: string;
};

/** One session: nothing, or what happened to it. */
export function news(before: Told | undefined, after: Told): News | undefined {
  const { title, group } = after;
  const told = (kind: News["kind"], words: string, between = " "): News => ({
    kind,
    sentence: `${title}${between}${words}`,
    words: words.slice(0, 1).toUpperCase() + words.slice(1),
  });
  const waited = before?.group === "needsYou";
  if (group === "needsYou" && (!waited || after.asks > (before?.asks ?? 0) || after.needsYou !== before?.needsYou)) {
    return told("needsYou", `${ASKS[after.kind]}: ${after.needsYou}`);
  }
  if (group === "running" && waited) return told("answered", "answered", ": ");
  if (group === "running" && before?.group !== "running") return told("started", "started");
  if (group === "running" || group === "needsYou") return undefined;
  // A turn can be so short that nobody sees it run; and an agent that has only been started has finished nothing.
  const hasEnded = before !== undefined && after.turns > before.turns;
  if (after.failed && (hasEnded || before?.group === "running" || waited)) return told("failed", "failed");
  if (hasEnded) {
    const spent = after.costUsd - before.costUsd;
    return told("finished", spent > 0 ? `finished, ${dollars(spent)}` : "finished");
  }
  return undefined;
}
