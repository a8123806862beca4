// The list as it stands on the page: rows and what is wanted of them go in, groups in their order come out.

import type { Row } from "../../api/frames";
import { GROUPS, type Group, type Sessions } from "../../store/sessions";
import { finder } from "../words";

export type Arranged = { group: Group; rows: Row[] };

export type Wanted = { filter: string; archived: boolean };

export function arrange(
  sessions: Pick<Sessions, "group" | "title" | "isArchived">,
  list: readonly Row[],
  { filter, archived }: Wanted,
): Arranged[] {
  const fits = finder(filter);
  const groups = new Map<Group, Row[]>(GROUPS.map((group) => [group, []]));
  for (const row of list) {
    const group = sessions.group(row);
    // What waits for somebody is seen, wherever it was put.
    const isShown = sessions.isArchived(row.id) === archived || (group === "needsYou" && !archived);
    const words = `${sessions.title(row.id) ?? "new session"} ${row.cwd ?? ""}`;
    if (isShown && fits(words)) groups.get(group)?.push(row);
  }
  return GROUPS.map((group) => ({ group, rows: sorted(group, groups.get(group) ?? []) }));
}

/** Who has waited longest comes first; what is over, the other way round. */
function sorted(group: Group, rows: Row[]): Row[] {
  const oldestFirst = group === "needsYou" || group === "running";
  return rows.sort((a, b) => (oldestFirst ? a.since - b.since : b.since - a.since) || (a.id < b.id ? -1 : 1));
}
