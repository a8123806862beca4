// A card of the inbox. The one that is selected is the same prompt that the session has; the others show what they are about,
// and the two answers that need no thought.

import { useMemo, useRef, useState } from "react";
import { SessionContext, useSessionList, useSessions } from "../../store/use";
import { AskCard } from "../ask/AskDock";
import { type Dock, DockContext } from "../ask/control";
import { decide } from "../ask/decision";
import { askTitle, titleText } from "../ask/titles";
import { Icon, type IconName } from "../Icon";
import { useNow } from "../now";
import { placeHref } from "../route";
import { Failure } from "../shell/Failure";
import { useAction } from "../shell/useAction";
import { exactly, lastPart, when } from "../words";
import { type InboxCard, warnings } from "./cards";
import { JoinedCard } from "./JoinedCard";
import { reasonOf } from "./reason";
import type { Open } from "./useWaiting";

type Props = {
  card: InboxCard<Open>;
  isSelected: boolean;
  isNarrow: boolean;
  onSelect: () => void;
  onApart: () => void;
};

export function InboxItem(props: Props) {
  const { card, isSelected, isNarrow, onSelect } = props;
  const [first] = card.waiting;
  const shownAt = useShownAt(isSelected);
  // What was begun in a card is still there when the reader comes back to it.
  const wasSelected = useRef(false);
  if (isSelected) wasSelected.current = true;
  if (!first) return null;
  if (card.command !== undefined) return <JoinedCard {...props} command={card.command} shownAt={shownAt} />;
  return (
    <article className={isSelected ? "card sel" : "card"} data-card={card.key} aria-current={isSelected || undefined}>
      <CardHead one={first} isSelected={isSelected} onSelect={onSelect} />
      {wasSelected.current ? (
        <div className="card-body" hidden={!isSelected}>
          <Whole one={first} isNarrow={isNarrow} shownAt={shownAt} />
        </div>
      ) : null}
      {isSelected || isNarrow ? null : <Quick one={first} onSelect={onSelect} />}
    </article>
  );
}

/** Since when it is before the reader: a key that was meant for something else must not answer it. */
function useShownAt(isSelected: boolean): () => number {
  const at = useRef(0);
  const before = useRef(false);
  if (isSelected && !before.current) at.current = performance.now();
  before.current = isSelected;
  return useRef(() => at.current).current;
}

function tileOf(one: Open): IconName {
  const { kind } = one.ask.body;
  return kind === "permission" || kind === "plan" ? "shield" : "ask";
}

function CardHead({ one, isSelected, onSelect }: { one: Open; isSelected: boolean; onSelect: () => void }) {
  const sessions = useSessions();
  useSessionList();
  const title = sessions.title(one.session) ?? "New session";
  const words = titleText(askTitle(one.ask.body, one.cwd));
  const folder = one.cwd === undefined ? "" : ` · ${lastPart(one.cwd)}`;
  const head = (
    <>
      <span className="tile">
        <Icon name={tileOf(one)} />
      </span>
      <span className="card-words">
        <span className="t cut">{title}</span>
        <span className="s cut">
          {words}
          {folder}
        </span>
      </span>
      <Wait at={one.ask.at} />
    </>
  );
  return isSelected ? (
    <h3 className="card-head">{head}</h3>
  ) : (
    <h3>
      <button type="button" className="card-head" onClick={onSelect}>
        {head}
      </button>
    </h3>
  );
}

export function Wait({ at }: { at: number }) {
  const now = useNow();
  return (
    <time className="when" title={`waits since ${exactly(at)}`}>
      {when(at, now)}
    </time>
  );
}

/** The prompt as the session's own dock has it. */
function Whole({ one, isNarrow, shownAt }: { one: Open; isNarrow: boolean; shownAt: () => number }) {
  const [note, setNote] = useState<string>();
  const dock: Dock = useMemo(
    () => ({
      isSheet: isNarrow,
      number: 1,
      count: 1,
      show: () => {},
      shownAt,
      // The question stays open; the keys are the page's again.
      leave: () => (document.activeElement as HTMLElement | null)?.blur(),
      noteAnswer: (_, outcome) => setNote(outcome === "taken" ? "Answered" : undefined),
    }),
    [isNarrow, shownAt],
  );
  const reason = reasonOf(one.store.items(), one.ask);
  const notes = one.ask.body.kind === "permission" ? warnings(one.ask.body, one.cwd) : [];
  return (
    <SessionContext value={one.store}>
      <DockContext value={dock}>
        {reason === undefined ? null : <blockquote className="card-reason">{reason}</blockquote>}
        <AskCard ask={one.ask} />
        <p className="card-foot">
          {notes.map((each) => (
            <Warning key={each} words={each} />
          ))}
          <span className="grow" role="status">
            {note}
          </span>
          <a className="btn quiet sm" href={placeHref({ page: "session", id: one.session })}>
            Open session
            <Icon name="right" />
          </a>
        </p>
      </DockContext>
    </SessionContext>
  );
}

function Warning({ words }: { words: string }) {
  return (
    <span className={words === "deletes" ? "tag danger" : "tag"}>
      <Icon name={words === "uses the network" ? "globe" : "warn"} />
      {words}
    </span>
  );
}

/** A command and the two answers, without opening the card. Everything else is opened to be answered. */
function Quick({ one, onSelect }: { one: Open; onSelect: () => void }) {
  const { run, isBusy, error } = useAction();
  const { body } = one.ask;
  if (body.kind !== "permission") return null;
  const command = body.view.view === "command" ? body.view.command : undefined;
  const answer = (kind: "allow" | "deny") => run(() => decide(one.session, one.ask.id, { kind }));
  return (
    <div className="card-body quick">
      {command === undefined ? null : (
        <div className="well">
          <code className="cmd cut">
            <span className="pr" aria-hidden="true">
              ${" "}
            </span>
            {command.text.split("\n")[0]}
            {command.text.includes("\n") || command.more ? " …" : ""}
          </code>
        </div>
      )}
      <div className="actions">
        {/* What is not all seen here is opened before it is allowed. */}
        {command === undefined || command.more || command.text.includes("\n") || body.defaultToNo ? (
          <button type="button" className="btn sm" onClick={onSelect}>
            Show it
          </button>
        ) : (
          <button type="button" className="btn sm" disabled={isBusy} onClick={() => answer("allow")}>
            {isBusy ? "Sending" : "Allow once"}
          </button>
        )}
        <button type="button" className="btn sm" disabled={isBusy} onClick={() => answer("deny")}>
          Deny
        </button>
        <span className="grow" />
        {warnings(body, one.cwd).map((words) => (
          <Warning key={words} words={words} />
        ))}
      </div>
      <Failure words={error} />
    </div>
  );
}
