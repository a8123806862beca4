// What the palette offers: what is so now in; entries, those that fit to what was typed, the best first, out.

import type { Row } from "../../api/frames";
import type { Group } from "../../store/sessions";
import type { IconName } from "../Icon";
import type { ActionId } from "../keys/actions";
import { lastPart } from "../words";
import { distance } from "./fuzzy";

export type Kind = "Action" | "Session" | "Command" | "Settings" | "Page" | "Panel";

export type Entry = {
  /** The same each time, so that it can be remembered. */
  id: string;
  kind: Kind;
  label: string;
  /** What else is said of it. */
  detail?: string;
  /** Words by which it is found besides. */
  also?: string;
  icon: IconName;
  /** An action whose keys are shown. */
  action?: ActionId;
  needsYou?: boolean;
  run: () => void;
};

/** So many are drawn. */
const MOST = 60;

/** A little is taken off for what is used much, and put on for what is seldom meant. */
const WEIGHT: Record<Kind, number> = { Action: 0, Session: 0.1, Settings: 0.2, Page: 0.2, Panel: 0.2, Command: 0.3 };

/** Those that fit. With a slash in front only commands are meant; with nothing typed, what was used last comes first. */
export function fittingEntries(entries: readonly Entry[], typed: string, recent: readonly string[]): Entry[] {
  const isCommand = typed.startsWith("/");
  const offered = isCommand ? entries.filter(({ kind }) => kind === "Command") : entries;
  const query = isCommand ? typed.slice(1) : typed;
  const place = (entry: Entry) => {
    const at = recent.indexOf(entry.id);
    return at < 0 ? recent.length : at;
  };
  if (query.trim() === "") {
    const first = (entry: Entry) => (entry.needsYou ? -1 : place(entry));
    return [...offered].sort((a, b) => first(a) - first(b)).slice(0, MOST);
  }
  return offered
    .flatMap((entry) => {
      const label = distance(entry.label.replace(/^\//, ""), query);
      const rest = distance(`${entry.label} ${entry.detail ?? ""} ${entry.also ?? ""}`, query);
      const how = label ?? (rest === undefined ? undefined : rest + 4);
      const used = place(entry) < recent.length ? -0.5 : 0;
      return how === undefined ? [] : [{ entry, how: how + WEIGHT[entry.kind] + used }];
    })
    .sort((a, b) => a.how - b.how)
    .slice(0, MOST)
    .map(({ entry }) => entry);
}

const GROUP_ICONS: Record<Group, IconName> = { needsYou: "ask", running: "arc", unread: "check", rest: "sessions" };

export function sessionEntry(row: Row, title: string, group: Group, isPermission: boolean, open: () => void): Entry {
  return {
    id: `session:${row.id}`,
    kind: "Session",
    label: title,
    ...(row.cwd ? { detail: lastPart(row.cwd), also: row.cwd } : {}),
    icon: group === "needsYou" && isPermission ? "shield" : GROUP_ICONS[group],
    needsYou: group === "needsYou",
    run: open,
  };
}
