// What is said aloud when sessions change: the rows before and after go in, sentences come out, each of them once.

import type { Row } from "../../api/frames";
import type { AskKind, Group } from "../../store/sessions";
import { dollars, inside } from "../words";

/** What of a row is worth telling. */
export type Told = {
  title: string;
  group: Group;
  asks: number;
  needsYou: string;
  kind: AskKind;
  costUsd: number;
  failed: boolean;
};

export function toldOf(row: Row, title: string, group: Group, kind: AskKind): Told {
  return {
    title,
    group,
    kind,
    asks: row.asks,
    needsYou: inside(row.needsYou ?? row.words, row.cwd),
    costUsd: row.costUsd,
    failed: row.phase === "failed",
  };
}

/** One session: nothing, or what happened to it. */
export function news(before: Told | undefined, after: Told): string | undefined {
  const { title, group } = after;
  const waited = before?.group === "needsYou";
  if (group === "needsYou" && (!waited || after.asks > (before?.asks ?? 0) || after.needsYou !== before?.needsYou)) {
    const what = after.kind === "permission" ? "needs permission" : "has a question";
    return `${title} ${what}: ${after.needsYou}`;
  }
  if (group === "running" && waited) return `${title}: answered`;
  if (group === "running" && before?.group !== "running") return `${title} started`;
  const ran = before?.group === "running" || waited;
  if (ran && group !== "running" && group !== "needsYou") {
    if (after.failed) return `${title} failed`;
    const spent = after.costUsd - (before?.costUsd ?? 0);
    return spent > 0 ? `${title} finished, ${dollars(spent)}` : `${title} finished`;
  }
  return undefined;
}
