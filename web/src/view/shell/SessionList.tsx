// The sessions: what needs somebody first, then what runs, what is done and unread, and the rest.

import type { Row } from "../../api/frames";
import { GROUPS, type Group } from "../../store/sessions";
import { useSessionList, useSessions } from "../../store/use";
import { Arc, Icon } from "../Icon";
import { useNow } from "../now";
import { placeHref } from "../route";
import { dollars, exactly, when } from "../words";

const HEADINGS: Record<Group, string> = {
  needsYou: "Needs you",
  running: "Running",
  unread: "Done, unread",
  rest: "Earlier",
};

export function SessionList({ current }: { current: string | undefined }) {
  const sessions = useSessions();
  const list = useSessionList();
  const groups = new Map<Group, Row[]>(GROUPS.map((group) => [group, []]));
  for (const row of list) groups.get(sessions.group(row))?.push(row);
  return (
    <aside className="list" aria-label="Sessions">
      <div className="list-head">
        <h2>Sessions</h2>
        <span className="grow" />
        <a className="btn sm" href={placeHref({ page: "new" })}>
          <Icon name="plus" />
          New
        </a>
      </div>
      <div className="list-scroll">
        {sessions.isKnown() && list.length === 0 ? <p className="empty">No sessions yet.</p> : null}
        {GROUPS.map((group) => {
          const rows = sorted(group, groups.get(group) ?? []);
          return rows.length === 0 ? null : (
            <section key={group}>
              <h3 className={group === "needsYou" ? "group needs" : "group"}>
                {HEADINGS[group]} <span className="num">{rows.length}</span>
              </h3>
              <ul>
                {rows.map((row) => (
                  <li key={row.id}>
                    <SessionRow row={row} group={group} isCurrent={row.id === current} />
                  </li>
                ))}
              </ul>
            </section>
          );
        })}
      </div>
    </aside>
  );
}

/** Who has waited longest comes first; what is over, the other way round. */
function sorted(group: Group, rows: Row[]): Row[] {
  const oldestFirst = group === "needsYou" || group === "running";
  return rows.sort((a, b) => (oldestFirst ? a.since - b.since : b.since - a.since) || a.id.localeCompare(b.id));
}

function SessionRow({ row, group, isCurrent }: { row: Row; group: Group; isCurrent: boolean }) {
  const now = useNow(group === "needsYou" || group === "running");
  const kind = group === "needsYou" ? " needs" : group === "rest" ? " read" : "";
  return (
    <a
      className={`srow${kind}`}
      href={placeHref({ page: "session", id: row.id })}
      aria-current={isCurrent ? "true" : undefined}
    >
      <span className="glyph">
        <Glyph row={row} group={group} />
      </span>
      <span className="title cut">{row.title || "New session"}</span>
      <time className="when" title={exactly(row.since)}>
        {when(row.since, now)}
      </time>
      <span className="sub cut">
        <Sub row={row} group={group} />
      </span>
    </a>
  );
}

function Glyph({ row, group }: { row: Row; group: Group }) {
  if (group === "needsYou") {
    return (
      <span className="tile">
        <Icon name="shield" />
      </span>
    );
  }
  if (group === "running") return <Arc />;
  if (row.phase === "failed") return <Icon name="x" className="is-danger" />;
  return group === "unread" ? <Icon name="check" className="is-done" /> : null;
}

function Sub({ row, group }: { row: Row; group: Group }) {
  if (group === "needsYou") {
    const more = row.asks > 1 ? ` · ${row.asks - 1} more` : "";
    return `${row.needsYou ?? row.words}${more}`;
  }
  if (row.phase === "failed") return <span className="is-danger">{row.words}</span>;
  if (group === "running") return row.words;
  return row.turns > 0 ? `${row.words} · ${dollars(row.costUsd)}` : row.words;
}
