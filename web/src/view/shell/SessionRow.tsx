// One session in the list: what it is called, since when it is so, and what it asks, does or did.

import { memo, useRef, useState } from "react";
import type { Asking, Row } from "../../api/frames";
import type { Transcript } from "../../api/server";
import type { Group } from "../../store/sessions";
import { useSessions } from "../../store/use";
import { Arc, Icon, type IconName } from "../Icon";
import { isPressed } from "../keys/bindings";
import { useNow } from "../now";
import { placeHref } from "../route";
import { rename } from "../session/actions";
import { dollars, exactly, inside, when } from "../words";
import type { MenuHandle } from "./Menu";
import { isFailed } from "./news";
import { SessionMenu } from "./SessionMenu";
import { TitleField } from "./TitleField";
import { terminalWords } from "./terminalWords";
import { useNaming } from "./useNaming";

type Props = {
  row: Row;
  group: Group;
  title: string;
  kind: Asking;
  isCurrent: boolean;
  /** The conversation, where it is held in a terminal and not here. */
  terminal?: Transcript | undefined;
  /** Is it the row that Tab comes to? */
  isStop: boolean;
  onFocus: (id: string) => void;
};

export const SessionRow = memo(function SessionRow(props: Props) {
  const { row, group, title, kind, isCurrent, terminal, isStop, onFocus } = props;
  const since = terminal?.modifiedAt ?? row.since;
  const sessions = useSessions();
  const isBusy = group === "needsYou" || group === "running";
  // What is over need not be counted by the second.
  const now = useNow(true, isBusy ? 1 : 10_000);
  const menu = useRef<MenuHandle>(null);
  // Hundreds of rows need no menu each: it is made for those that somebody comes near to.
  const [isNear, setNear] = useState(false);
  const { isNaming, begin, leave, back } = useNaming<HTMLAnchorElement>();
  const mood = group === "needsYou" ? " needs" : group === "rest" ? " read" : "";
  if (isNaming) {
    return <TitleField title={title} onKeep={(text) => rename(sessions, row.id, text)} onLeave={leave} />;
  }
  return (
    <div className="srow-box" onPointerEnter={() => setNear(true)}>
      <a
        ref={back}
        className={`srow${mood}`}
        href={placeHref({ page: "session", id: row.id })}
        aria-current={isCurrent ? "page" : undefined}
        tabIndex={isStop ? 0 : -1}
        onFocus={() => onFocus(row.id)}
        onContextMenu={(event) => {
          event.preventDefault();
          menu.current?.open();
        }}
        onKeyDown={(event) => {
          if (isPressed("rename", event)) begin();
        }}
      >
        <span className="glyph">
          {terminal && group !== "needsYou" ? (
            <Icon name="terminal" className={terminal.running ? "is-running" : "faint"} label="In a terminal" />
          ) : (
            <Glyph row={row} group={group} kind={kind} />
          )}
        </span>
        <span className="title cut" title={title}>
          {title}
        </span>
        {since === 0 ? null : (
          <time className="when" dateTime={new Date(since).toISOString()} title={exactly(since)}>
            {when(since, now)}
          </time>
        )}
        <span className="sub cut">
          {row.mode === "bypassPermissions" ? <span className="bypass-mark">Bypass</span> : null}
          {terminal && group !== "needsYou" ? terminalWords(terminal, now) : <Sub row={row} group={group} />}
        </span>
      </a>
      {isNear || isStop ? (
        <SessionMenu id={row.id} className="ibtn sm row-more" isTabStop={isStop} handle={menu} onRename={begin} />
      ) : null}
    </div>
  );
});

const TILES: Record<Asking, { name: IconName; label: string }> = {
  permission: { name: "shield", label: "Needs permission" },
  question: { name: "ask", label: "Has a question" },
  plan: { name: "shield", label: "Has a plan" },
  elicitation: { name: "ask", label: "Has a question" },
  dialog: { name: "ask", label: "Shows a dialog" },
};

/** The sign of what it asks, does or did. */
export function Glyph({ row, group, kind }: { row: Row; group: Group; kind: Asking }) {
  if (group === "needsYou") {
    return (
      <span className="tile">
        <Icon {...TILES[kind]} />
      </span>
    );
  }
  if (group === "running") return <Arc />;
  if (isFailed(row)) return <Icon name="x" className="is-danger" label="Failed" />;
  return group === "unread" ? <Icon name="check" className="is-done" label="Done, unread" /> : null;
}

function Sub({ row, group }: { row: Row; group: Group }) {
  if (group === "needsYou") {
    const more = row.asks > 1 ? ` · ${row.asks - 1} more` : "";
    return `${inside(row.needsYou ?? row.words, row.cwd)}${more}`;
  }
  if (group === "running") return inside(row.words, row.cwd);
  if (isFailed(row)) return <span className="is-danger">{row.failed ?? row.words}</span>;
  return row.turns > 0 ? `${row.words} · ${dollars(row.costUsd)}` : row.words;
}
