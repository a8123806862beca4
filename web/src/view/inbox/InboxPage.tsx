// The inbox: everything that waits for somebody, answerable in place; then what runs, and what is done and unread.

import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { Row } from "../../api/frames";
import type { Group } from "../../store/sessions";
import { useSessionList, useSessions } from "../../store/use";
import { useNarrow } from "../composer/use";
import { Arc, Icon } from "../Icon";
import { actionsIn } from "../keys/actions";
import { pressedOf } from "../keys/bindings";
import { Caps } from "../keys/Caps";
import { isComposing } from "../keys/chord";
import { useDeed } from "../keys/deeds";
import { go, placeHref } from "../route";
import { ConnectionMark } from "../shell/ConnectionMark";
import { SessionRow } from "../shell/SessionRow";
import { isTyping } from "../shell/typing";
import { clock, counted } from "../words";
import { cardsOf, type InboxCard } from "./cards";
import { InboxItem } from "./InboxItem";
import { type Open, useWaiting } from "./useWaiting";

export default function InboxPage() {
  const { waiting, coming } = useWaiting();
  const [apart, setApart] = useState<ReadonlySet<string>>(new Set());
  const cards = useMemo(() => cardsOf(waiting, apart), [waiting, apart]);
  const [selected, select] = useSelected(cards, coming === 0);
  const isNarrow = useNarrow();
  const root = useRef<HTMLDivElement>(null);
  useFocus(root, selected?.key);
  useKeys(cards, selected, select);
  const count = waiting.length;
  const oldest = waiting.reduce((first, { ask }) => Math.min(first, ask.at), Number.POSITIVE_INFINITY);
  return (
    <main className="main page inbox-page">
      <header className="page-head">
        <div className="page-title">
          <h1>{count > 0 ? `${count} ${count === 1 ? "needs" : "need"} you` : "Nothing needs you"}</h1>
          <span className="muted">
            {isNarrow ? <ConnectionMark /> : null}
            {Number.isFinite(oldest) ? `oldest waits since ${clock(oldest)}` : ""}
          </span>
        </div>
        <span className="grow" />
        {isNarrow ? (
          <a className="ibtn" href={placeHref({ page: "search" })} aria-label="Search">
            <Icon name="search" />
          </a>
        ) : count > 0 ? (
          <KeyHints />
        ) : null}
      </header>
      <div className="page-body" ref={root}>
        <div className="inbox">
          <section className="inbox-col" aria-label="Needs you">
            {count > 0 ? <h2 className="sec needs">Longest wait first</h2> : null}
            {cards.map((card) => (
              <InboxItem
                key={card.key}
                card={card}
                isSelected={card.key === selected?.key}
                isNarrow={isNarrow}
                onSelect={() => select(card.key)}
                onApart={() => setApart(new Set([...apart, card.key]))}
              />
            ))}
            {coming > 0 && count === 0 ? (
              <p className="empty" role="status">
                <Arc /> Asking what they wait for
              </p>
            ) : null}
            {count === 0 && coming === 0 ? <Nothing /> : null}
          </section>
          <aside className="inbox-col" aria-label="Running and done">
            <Others group="running" heading="Running" />
            <Others group="unread" heading="Done, unread" />
          </aside>
        </div>
      </div>
    </main>
  );
}

function KeyHints() {
  return (
    <p className="hint page-keys" aria-hidden="true">
      <span>
        <Caps action="nextSession" /> <Caps action="previousSession" /> move
      </span>
      <span>
        <Caps action="allowOnce" /> allow once
      </span>
      <span>
        <Caps action="deny" /> deny
      </span>
      <span>
        <kbd>Enter</kbd> open
      </span>
    </p>
  );
}

function Nothing() {
  return (
    <div className="inbox-nothing">
      <Icon name="okring" className="is-done" />
      <p>
        No agent waits for an answer.
        <br />
        <span className="muted">When one does, it stands here, and the count is in the title of this tab.</span>
      </p>
      <a className="btn" href={placeHref({ page: "new" })}>
        <Icon name="plus" />
        New session
      </a>
    </div>
  );
}

/** So many of the others are shown; the list has all of them. */
const SHOWN = 12;

function Others({ group, heading }: { group: Group; heading: string }) {
  const sessions = useSessions();
  const list = useSessionList();
  const [focused, setFocused] = useState<string>();
  const rows = list
    .filter((row) => sessions.group(row) === group && !sessions.isArchived(row.id))
    .sort((a: Row, b: Row) => (group === "running" ? a.since - b.since : b.since - a.since));
  const shown = rows.slice(0, SHOWN);
  const stop = shown.find(({ id }) => id === focused)?.id ?? shown[0]?.id;
  if (rows.length === 0) return null;
  return (
    <section aria-label={heading}>
      <h2 className="sec">
        {heading} <span className="num">{rows.length}</span>
      </h2>
      <ul className="row-list">
        {shown.map((row) => (
          <li key={row.id}>
            <SessionRow
              row={row}
              group={group}
              title={sessions.title(row.id) ?? "New session"}
              kind={sessions.askKind(row)}
              isCurrent={false}
              isStop={row.id === stop}
              onFocus={setFocused}
            />
          </li>
        ))}
      </ul>
      {rows.length > SHOWN ? (
        <a className="btn quiet sm" href={placeHref({ page: "sessions" })}>
          {counted(rows.length - SHOWN, "more session")}
        </a>
      ) : null}
    </section>
  );
}

type Card = InboxCard<Open>;

/** The one that was chosen; when it has gone, the one that took its place. While some are still to come, the first. */
function useSelected(cards: readonly Card[], isSettled: boolean): [Card | undefined, (key: string) => void] {
  const [wanted, setWanted] = useState<{ key: string; at: number }>();
  const known = cards.findIndex(({ key }) => key === wanted?.key);
  const at = known >= 0 ? known : Math.min(wanted?.at ?? 0, cards.length - 1);
  const selected = cards[at];
  useEffect(() => {
    if (!isSettled && wanted === undefined) return;
    if (selected && (selected.key !== wanted?.key || at !== wanted.at)) setWanted({ key: selected.key, at });
  }, [selected, wanted, at, isSettled]);
  const select = useCallback((key: string) => setWanted((before) => ({ key, at: before?.at ?? 0 })), []);
  return [selected, select];
}

/** The card that is selected has the keys, unless somebody types or is busy elsewhere. */
function useFocus(root: React.RefObject<HTMLDivElement | null>, key: string | undefined): void {
  useEffect(() => {
    const here = document.activeElement;
    const isFree = here === document.body || here === null || root.current?.contains(here) || here.closest(".rail");
    if (key === undefined || !isFree || isTyping(here)) return;
    const card = [...(root.current?.querySelectorAll<HTMLElement>("[data-card]") ?? [])].find(
      (element) => element.dataset.card === key,
    );
    card?.querySelector<HTMLElement>("form")?.focus({ preventScroll: true });
    card?.scrollIntoView({ block: "nearest" });
  }, [root, key]);
}

/** What answers a prompt. */
const ANSWERS = actionsIn("prompt");

/** Keys go to the next card and back, Enter opens; what is pressed in a field is for the field. */
function useKeys(cards: readonly Card[], selected: Card | undefined, select: (key: string) => void): void {
  const step = (by: 1 | -1) => {
    const to = cards[(selected === undefined ? -1 : cards.indexOf(selected)) + by];
    if (to) select(to.key);
  };
  useDeed("nextSession", () => step(1));
  useDeed("previousSession", () => step(-1));
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      const isFree = target === document.body || target.matches("form");
      if (!isFree || event.defaultPrevented || isComposing(event)) return;
      if (document.querySelector("dialog:modal, [popover]:popover-open")) return;
      if (event.key === "Enter" && !event.ctrlKey && !event.altKey && !event.metaKey) {
        const first = selected?.waiting[0];
        if (first) go({ page: "session", id: first.session });
      } else if (target === document.body && pressedOf(ANSWERS, event) !== undefined) {
        // Nobody has the focus: the key is for the card that is selected.
        const form = document.querySelector<HTMLElement>(".card.sel form");
        form?.focus({ preventScroll: true });
        const { key, code, ctrlKey, altKey, shiftKey, metaKey } = event;
        const same = { key, code, ctrlKey, altKey, shiftKey, metaKey, bubbles: true };
        form?.dispatchEvent(new KeyboardEvent("keydown", same));
      } else {
        return;
      }
      event.preventDefault();
    };
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  }, [selected]);
}
