// The list as it stands on the page: rows and what is wanted of them go in, groups in their order come out.

import type { Row } from "../../api/frames";
import { GROUPS, type Group, type Sessions } from "../../store/sessions";

export type Arranged = { group: Group; rows: Row[] };

export type Wanted = { filter: string; archived: boolean };

export function arrange(
  sessions: Pick<Sessions, "group" | "title" | "isArchived">,
  list: readonly Row[],
  { filter, archived }: Wanted,
): Arranged[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const groups = new Map<Group, Row[]>(GROUPS.map((group) => [group, []]));
  for (const row of list) {
    const group = sessions.group(row);
    // What waits for somebody is seen, wherever it was put.
    const isShown = sessions.isArchived(row.id) === archived || (group === "needsYou" && !archived);
    if (isShown && matches(row, sessions.title(row.id), words)) groups.get(group)?.push(row);
  }
  return GROUPS.map((group) => ({ group, rows: sorted(group, groups.get(group) ?? []) }));
}

function matches(row: Row, title: string | undefined, words: readonly string[]): boolean {
  const text = `${title ?? "new session"} ${row.cwd ?? ""}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

/** Who has waited longest comes first; what is over, the other way round. */
function sorted(group: Group, rows: Row[]): Row[] {
  const oldestFirst = group === "needsYou" || group === "running";
  return rows.sort((a, b) => (oldestFirst ? a.since - b.since : b.since - a.since) || (a.id < b.id ? -1 : 1));
}
