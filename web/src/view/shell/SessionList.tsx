// The sessions: what needs somebody first, then what runs, what is done and unread, and the rest.

import { type KeyboardEvent, Suspense, useCallback, useDeferredValue, useEffect, useMemo, useState } from "react";
import type { Group } from "../../store/sessions";
import { useTerminals } from "../../store/terminals";
import { useSessionList, useSessions } from "../../store/use";
import { Icon } from "../Icon";
import { useDeed } from "../keys/deeds";
import { lazily } from "../lazily";
import { go, placeHref } from "../route";
import { type Arranged, arrange } from "./arrange";
import { ConnectionMark } from "./ConnectionMark";
import { ListHead } from "./ListHead";
import { SessionRow } from "./SessionRow";
import { TerminalRows } from "./TerminalRows";
import { Today } from "./Today";
import { byRow, terminalOf } from "./terminalWords";
import { isTyping } from "./typing";
import { useToday } from "./useToday";

/** What was said, not only what it is called: loaded when somebody looks for it. */
const FoundInside = lazily(() => import("../search/FoundInside").then((part) => part.default));

const HEADINGS: Record<Group, string> = {
  needsYou: "Needs you",
  running: "Running",
  unread: "Done, unread",
  rest: "Earlier",
};

/** So many of the earlier ones are shown at first, and so many more each time. */
const SHOWN = 40;
const SKELETON_MS = 300;

export function SessionList({ current }: { current: string | undefined }) {
  const sessions = useSessions();
  const list = useSessionList();
  const transcripts = useTerminals();
  const terminals = useMemo(() => byRow(transcripts), [transcripts]);
  const [filter, setFilter] = useState("");
  // Typing comes before finding.
  const wanted = useDeferredValue(filter);
  const [archived, setArchived] = useState(false);
  const [unfolded, setUnfolded] = useState<boolean>();
  const [shown, setShown] = useState(SHOWN);
  const [focused, setFocused] = useState<string>();
  const groups = useMemo(
    () => arrange(sessions, list, { filter: wanted, archived }),
    [sessions, list, wanted, archived],
  );
  const isEmpty = groups.every(({ rows }) => rows.length === 0);
  const rest = groups.at(-1)?.rows ?? [];
  const isAlone = groups.slice(0, -1).every(({ rows }) => rows.length === 0);
  const isHere = rest.slice(0, SHOWN).some((row) => row.id === current);
  const isOpen = filter !== "" || archived || (unfolded ?? (isAlone || isHere));
  const drawn = groups.map((part) =>
    part.group === "rest" ? { ...part, rows: isOpen ? rest.slice(0, shown) : [] } : part,
  );
  const ids = drawn.flatMap(({ rows }) => rows.map((row) => row.id));
  const stop = [focused, current].find((id) => id !== undefined && ids.includes(id)) ?? ids[0];
  useStepKeys(ids, current);
  const find = (words: string) => {
    setFilter(words);
    setShown(SHOWN);
  };
  const focus = useCallback((id: string) => setFocused(id), []);

  const part = ({ group, rows }: Arranged) => {
    const all = group === "rest" ? rest.length : rows.length;
    return all === 0 ? null : (
      <section key={group} aria-label={HEADINGS[group]}>
        {group === "rest" && filter === "" && !archived ? (
          <h3>
            <button type="button" className="group folds" aria-expanded={isOpen} onClick={() => setUnfolded(!isOpen)}>
              <Icon name={isOpen ? "down" : "right"} />
              {HEADINGS[group]} <span className="num">{all}</span>
            </button>
          </h3>
        ) : (
          <h3 className={group === "needsYou" ? "group needs" : "group"}>
            {HEADINGS[group]} <span className="num">{all}</span>
          </h3>
        )}
        <ul>
          {rows.map((row) => (
            <li key={row.id}>
              <SessionRow
                row={row}
                group={group}
                title={sessions.title(row.id) ?? "New session"}
                kind={sessions.askKind(row)}
                isCurrent={row.id === current}
                terminal={terminalOf(row, terminals)}
                isStop={row.id === stop}
                onFocus={focus}
              />
            </li>
          ))}
        </ul>
        {group === "rest" && isOpen && all > shown ? (
          <button type="button" className="btn quiet sm more-rows" onClick={() => setShown(shown + SHOWN)}>
            Show more
          </button>
        ) : null}
      </section>
    );
  };

  return (
    <aside className="list" aria-label="Sessions">
      <ListHead filter={filter} onFilter={find} archived={archived} onArchived={setArchived} />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys move between the links in it. */}
      <div className="list-scroll" onKeyDown={walked}>
        {sessions.isKnown() ? null : <Skeleton />}
        {isEmpty && sessions.isKnown() ? <p className="empty">{emptyWords(filter, archived)}</p> : null}
        {drawn.map(part)}
        {archived ? null : <TerminalRows filter={wanted} />}
        {wanted.trim() === "" ? null : (
          <Suspense>
            <FoundInside text={wanted.trim()} />
          </Suspense>
        )}
      </div>
      <ListFoot isInSession={current !== undefined} />
    </aside>
  );
}

function emptyWords(filter: string, archived: boolean): string {
  if (filter !== "") return `No title and no folder has “${filter}”.`;
  return archived ? "The archive is empty." : "No sessions yet.";
}

function Skeleton() {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), SKELETON_MS);
    return () => clearTimeout(timer);
  }, []);
  return isShown ? (
    <div className="skeleton" role="status" aria-label="Loading sessions">
      <i />
      <i />
      <i />
    </div>
  ) : null;
}

function ListFoot({ isInSession }: { isInSession: boolean }) {
  const spent = useToday(useSessionList());
  return (
    <div className="list-foot">
      {spent === undefined ? null : <Today spent={spent} />}
      <span className="grow" />
      {isInSession ? null : <ConnectionMark />}
    </div>
  );
}

/** Arrow keys go from row to row; right goes to the row's menu and left back. */
function walked(event: KeyboardEvent<HTMLElement>): void {
  if (isTyping(event.target) || event.ctrlKey || event.altKey || event.metaKey) return;
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>(".srow")];
  const here = document.activeElement as HTMLElement;
  const at = rows.findIndex((row) => row.parentElement?.contains(here));
  const box = here.closest(".srow-box");
  const to: Record<string, HTMLElement | null | undefined> = {
    ArrowDown: rows[at + 1],
    ArrowUp: rows[at - 1],
    Home: rows[0],
    End: rows.at(-1),
    ArrowRight: box?.querySelector<HTMLElement>(".row-more"),
    ArrowLeft: box?.querySelector<HTMLElement>(".srow"),
  };
  if (!(event.key in to) || at === -1) return;
  event.preventDefault();
  to[event.key]?.focus();
}

/** Keys go to the next session and the one before, in the order of the list. */
function useStepKeys(ids: readonly string[], current: string | undefined): void {
  const step = (by: 1 | -1) => {
    const at = current === undefined ? -1 : ids.indexOf(current);
    const to = ids[at === -1 ? (by === 1 ? 0 : ids.length - 1) : at + by];
    if (to === undefined) return;
    go({ page: "session", id: to });
    const row = document.querySelector<HTMLElement>(`a.srow[href="${placeHref({ page: "session", id: to })}"]`);
    row?.scrollIntoView({ block: "nearest" });
  };
  useDeed("nextSession", () => step(1));
  useDeed("previousSession", () => step(-1));
}
