// The same command in several sessions: one answer for all of them, or one by one.

import { type KeyboardEvent, useState } from "react";
import { messageOf } from "../../api/http";
import { useSessionList, useSessions } from "../../store/use";
import { isArmed } from "../ask/control";
import { decide } from "../ask/decision";
import { Icon } from "../Icon";
import type { ActionId } from "../keys/actions";
import { pressedOf } from "../keys/bindings";
import { Caps } from "../keys/Caps";
import { placeHref } from "../route";
import { Failure } from "../shell/Failure";
import type { InboxCard } from "./cards";
import { Wait } from "./InboxItem";
import type { Open } from "./useWaiting";

type Props = {
  card: InboxCard<Open>;
  command: string;
  isSelected: boolean;
  isNarrow: boolean;
  shownAt: () => number;
  onSelect: () => void;
  onApart: () => void;
};

export function JoinedCard({ card, command, isSelected, isNarrow, shownAt, onSelect, onApart }: Props) {
  const sessions = useSessions();
  useSessionList();
  const [isSending, setSending] = useState(false);
  const [error, setError] = useState<string>();
  const { waiting } = card;
  const count = waiting.length;
  const title = (id: string) => sessions.title(id) ?? "New session";
  const answer = async (kind: "allow" | "deny") => {
    setSending(true);
    setError(undefined);
    const answered = await Promise.allSettled(waiting.map((one) => decide(one.session, one.ask.id, { kind })));
    const failed = answered.flatMap((one) => (one.status === "rejected" ? [one.reason as unknown] : []));
    setSending(false);
    if (failed.length === 0) return;
    const [cause] = failed;
    const why = messageOf(cause);
    setError(`Not answered: ${failed.length} of ${count}. ${why}`);
  };
  const pressed = (event: KeyboardEvent) => {
    const action = pressedOf(["allowOnce", "deny"], event);
    if (action === undefined) return;
    event.preventDefault();
    if (!isSending && isArmed(shownAt())) void answer(action === "allowOnce" ? "allow" : "deny");
  };
  const [first] = waiting;
  const size = isSelected ? "" : " sm";
  return (
    <article className={isSelected ? "card sel" : "card"} data-card={card.key} aria-current={isSelected || undefined}>
      <h3>
        <button type="button" className="card-head" onClick={onSelect}>
          <span className="tile">
            <Icon name="shield" />
          </span>
          <span className="card-words">
            <span className="t cut">
              <code>{command}</code> in {count} sessions
            </span>
            <span className="s cut">{waiting.map(({ session }) => title(session)).join(", ")}</span>
          </span>
          {first ? <Wait at={first.ask.at} /> : null}
        </button>
      </h3>
      {isNarrow && !isSelected ? null : (
        <form
          className="card-body joined"
          tabIndex={-1}
          aria-label={`${command} in ${count} sessions`}
          onSubmit={(event) => event.preventDefault()}
          onKeyDown={pressed}
        >
          {isSelected ? (
            <ul className="joined-list">
              {waiting.map((one) => (
                <li key={`${one.session}:${one.ask.id}`}>
                  <a className="cut" href={placeHref({ page: "session", id: one.session })}>
                    {title(one.session)}
                  </a>
                  <code className="cut-start faint">
                    <bdi>{one.cwd ?? ""}</bdi>
                  </code>
                </li>
              ))}
            </ul>
          ) : null}
          <Failure words={error} />
          <div className="actions">
            <button
              type="button"
              className={isSelected ? "btn primary" : "btn sm"}
              disabled={isSending}
              onClick={() => void answer("allow")}
            >
              {isSending ? "Sending" : `Allow all ${count} once`}
              {isSelected && !isNarrow ? <KeyMark action="allowOnce" /> : null}
            </button>
            <button type="button" className={`btn${size}`} disabled={isSending} onClick={() => void answer("deny")}>
              Deny all
              {isSelected && !isNarrow ? <KeyMark action="deny" /> : null}
            </button>
            <button type="button" className={`btn quiet${size}`} disabled={isSending} onClick={onApart}>
              Answer one by one
            </button>
            <span className="grow" />
            <span className="hint">Same command, inside each repository</span>
          </div>
        </form>
      )}
    </article>
  );
}

/** Not for those who hear the page: the button says what it does. */
function KeyMark({ action }: { action: ActionId }) {
  return (
    <span className="key" aria-hidden="true">
      <Caps action={action} />
    </span>
  );
}
