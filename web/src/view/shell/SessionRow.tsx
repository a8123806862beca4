// One session in the list: what it is called, since when it is so, and what it asks, does or did.

import { memo, useRef, useState } from "react";
import type { Row } from "../../api/frames";
import type { AskKind, Group } from "../../store/sessions";
import { useSessions } from "../../store/use";
import { Arc, Icon } from "../Icon";
import { useNow } from "../now";
import { placeHref } from "../route";
import { dollars, exactly, inside, when } from "../words";
import type { MenuHandle } from "./Menu";
import { rename, SessionMenu } from "./SessionMenu";
import { TitleField } from "./TitleField";
import { useNaming } from "./useNaming";

type Props = {
  row: Row;
  group: Group;
  title: string;
  kind: AskKind;
  isCurrent: boolean;
  /** Is it the row that Tab comes to? */
  isStop: boolean;
  onFocus: (id: string) => void;
};

export const SessionRow = memo(function SessionRow({ row, group, title, kind, isCurrent, isStop, onFocus }: Props) {
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
          if (event.key === "F2") begin();
        }}
      >
        <span className="glyph">
          <Glyph row={row} group={group} kind={kind} />
        </span>
        <span className="title cut" title={title}>
          {title}
        </span>
        <time className="when" dateTime={new Date(row.since).toISOString()} title={exactly(row.since)}>
          {when(row.since, now)}
        </time>
        <span className="sub cut">
          <Sub row={row} group={group} />
        </span>
      </a>
      {isNear || isStop ? (
        <SessionMenu id={row.id} className="ibtn sm row-more" isTabStop={isStop} handle={menu} onRename={begin} />
      ) : null}
    </div>
  );
});

function Glyph({ row, group, kind }: { row: Row; group: Group; kind: AskKind }) {
  if (group === "needsYou") {
    return (
      <span className="tile">
        <Icon
          name={kind === "permission" ? "shield" : "ask"}
          label={kind === "permission" ? "Needs permission" : "Has a question"}
        />
      </span>
    );
  }
  if (group === "running") return <Arc />;
  if (row.phase === "failed") return <Icon name="x" className="is-danger" label="Failed" />;
  return group === "unread" ? <Icon name="check" className="is-done" label="Done, unread" /> : null;
}

function Sub({ row, group }: { row: Row; group: Group }) {
  if (group === "needsYou") {
    const more = row.asks > 1 ? ` · ${row.asks - 1} more` : "";
    return `${inside(row.needsYou ?? row.words, row.cwd)}${more}`;
  }
  if (row.phase === "failed") return <span className="is-danger">{row.words}</span>;
  if (group === "running") return inside(row.words, row.cwd);
  return row.turns > 0 ? `${row.words} · ${dollars(row.costUsd)}` : row.words;
}
