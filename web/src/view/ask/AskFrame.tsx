// The frame around every prompt: head with question, wait and number; body; error; actions. In the dock, or as a sheet.

import {
  type FormEvent,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useId,
  useLayoutEffect,
  useRef,
} from "react";
import type { Ask } from "../../generated";
import { usePart, useSession } from "../../store/use";
import { Icon, type IconName } from "../Icon";
import { useNow } from "../now";
import { exactly, when } from "../words";
import { focusFirst, isArmed, isByKey, useDock } from "./control";
import { askTitle, type Title } from "./titles";

export function AskFrame(props: {
  ask: Ask;
  icon: IconName;
  children: ReactNode;
  actions: ReactNode;
  error: string | undefined;
  isSending: boolean;
  onSubmit: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
}) {
  const { ask, icon, children, actions, error, isSending } = props;
  const folder = usePart("status").cwd;
  const { shownAt } = useDock();
  const heading = useId();
  const form = useRef<HTMLFormElement>(null);
  const focused = useKeptFocus(form);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isSending) props.onSubmit();
  };
  // A key press that was meant for something else also presses the button that has just come under it.
  const guard = (event: MouseEvent) => {
    const isDecision = event.target instanceof Element && event.target.closest(".actions") !== null;
    if (!isDecision || !isByKey(event) || isArmed(shownAt())) return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    // The keys work wherever in the prompt the focus is; each has a button beside it.
    <form
      ref={form}
      className="ask"
      data-ask={ask.id}
      tabIndex={-1}
      aria-labelledby={heading}
      aria-busy={isSending}
      noValidate
      onSubmit={submit}
      onKeyDown={props.onKeyDown}
      onClickCapture={guard}
      onFocus={(event) => {
        focused.current = event.target;
      }}
    >
      <div className="ask-head">
        <span className="tile">
          <Icon name={icon} />
        </span>
        <div className="ask-title grow">
          <Heading id={heading} title={askTitle(ask.body, folder)} />
          <Whom ask={ask} />
        </div>
        <div className="ask-when">
          <Wait at={ask.at} />
          <Pager />
        </div>
      </div>
      <div className="ask-scroll">{children}</div>
      {error === undefined ? null : (
        <p className="ask-error" role="alert">
          <Icon name="warn" />
          {error}
        </p>
      )}
      {actions}
    </form>
  );
}

/** A field that is left goes away with the focus in it. The prompt keeps the focus then: its keys count only inside of it. */
function useKeptFocus(form: RefObject<HTMLFormElement | null>): RefObject<Element | null> {
  const focused = useRef<Element>(null);
  useLayoutEffect(() => {
    if (focused.current === null || form.current?.contains(focused.current)) return;
    focused.current = null;
    if (document.activeElement === document.body) focusFirst(form.current);
  });
  return focused;
}

function Heading({ id, title }: { id: string; title: Title }) {
  return (
    <h2 id={id}>
      {title.before}
      {title.code === undefined ? null : <code>{title.code}</code>}
      {title.after}
    </h2>
  );
}

/** Which subagent asks, if it is not the main one. */
function Whom({ ask }: { ask: Ask }) {
  const session = useSession();
  if (ask.agentId === undefined) return null;
  const parent = ask.call === undefined ? undefined : session.item(ask.call)?.parent;
  const body = parent === undefined ? undefined : session.item(parent)?.body;
  const name = body?.kind === "agent" ? body.description : "";
  return (
    <p className="ask-whom cut">
      <Icon name="agent" />
      {name === "" ? "A subagent asks" : `Subagent: ${name}`}
    </p>
  );
}

function Wait({ at }: { at: number }) {
  const now = useNow();
  const words = when(at, now);
  return (
    <time className="when" title={`since ${exactly(at)}`}>
      {now - at < 3_600_000 ? `waiting ${words}` : `since ${words}`}
    </time>
  );
}

function Pager() {
  const { number, count, show } = useDock();
  if (count < 2) return null;
  return (
    <span className="row pager">
      <span className="num muted">
        {number} of {count}
      </span>
      <button
        type="button"
        className="ibtn sm"
        aria-label="Previous request"
        disabled={number === 1}
        onClick={() => show(number - 1)}
      >
        <Icon name="left" />
      </button>
      <button
        type="button"
        className="ibtn sm"
        aria-label="Next request"
        disabled={number === count}
        onClick={() => show(number + 1)}
      >
        <Icon name="right" />
      </button>
    </span>
  );
}
