// What is going on, in words: with the time of the turn, the next try, what limits there are, and how to stop it.

import { useEffect } from "react";
import type { Limit, Status } from "../../generated";
import { useItem, usePart, useSession } from "../../store/use";
import { Arc, Icon } from "../Icon";
import { useNow } from "../now";
import { clock, count, counted, duration, inside } from "../words";
import { interruptOf, useStopping } from "./interrupt";
import { limitNotice } from "./limits";

export function StatusLine() {
  const session = useSession();
  const status = usePart("status");
  const words = inside(status.words, status.cwd);
  const stopping = useStopping(session.id);
  const isRunning = status.turn !== undefined;
  // The prompt below says what the agent waits for.
  const isSaid = usePart("asks").length > 0 && stopping.kind === "still" && status.turn?.interrupting !== true;
  useEffect(() => {
    if (!isRunning) interruptOf(session.id).rest();
  }, [isRunning, session]);
  return (
    <div className="status-block">
      <LimitNotice />
      <LostGrants grants={status.lostGrants} />
      <div className="status" hidden={isSaid}>
        <Glyph status={status} />
        <span className="cut" title={status.words}>
          {words}
        </span>
        {status.turn === undefined ? null : <TurnTime startedAt={status.turn.startedAt} />}
        {status.turn?.retry === undefined ? null : <NextTry at={status.turn.retry.at} />}
        {status.turn?.block === undefined ? null : <Thought id={status.turn.block} />}
        <span className="grow" />
        {isRunning ? <StopHint stopping={stopping} isStopping={status.turn?.interrupting === true} /> : null}
      </div>
      {stopping.kind === "armed" && isRunning ? <div className="esc-bar" /> : null}
      {stopping.kind === "failed" ? (
        <p className="ask-error" role="alert">
          <Icon name="warn" />
          The turn could not be stopped. {stopping.words}
        </p>
      ) : null}
    </div>
  );
}

function Glyph({ status }: { status: Status }) {
  switch (status.phase) {
    case "running":
    case "starting":
    case "compacting":
    case "interrupting":
      return <Arc />;
    case "retrying":
      return <Icon name="clock" className="is-warn" />;
    case "needsYou":
      return <Icon name="shield" className="is-needs" />;
    case "failed":
      return <Icon name="x" className="is-danger" />;
    case "idle":
    case "asleep":
      return <Icon name="circle" className="faint" />;
    default:
      return status.phase satisfies never;
  }
}

function Part({ children, title }: { children: string; title?: string }) {
  return (
    <>
      <span className="sep" aria-hidden="true">
        ·
      </span>
      <span className="num" title={title}>
        {children}
      </span>
    </>
  );
}

function TurnTime({ startedAt }: { startedAt: number }) {
  const now = useNow();
  const ms = Math.max(0, now - startedAt);
  // Whole seconds: tenths would only flicker.
  const words = ms < 60_000 ? `${Math.floor(ms / 1000)}\u2009s` : duration(ms);
  return <Part title={`since ${clock(startedAt)}`}>{words}</Part>;
}

function NextTry({ at }: { at: number }) {
  const now = useNow();
  const left = Math.ceil((at - now) / 1000);
  const words = left < 60 ? `${left}\u2009s` : duration(left * 1000);
  return <Part>{left > 0 ? `again in ${words}` : "trying again"}</Part>;
}

/** How much the model has thought so far, while it does. */
function Thought({ id }: { id: string }) {
  const body = useItem(id)?.body;
  if (body?.kind !== "thinking" || body.done || body.tokens === undefined) return null;
  return <Part>{`about ${count(body.tokens)} tokens`}</Part>;
}

function StopHint({ stopping, isStopping }: { stopping: { kind: string }; isStopping: boolean }) {
  if (isStopping || stopping.kind === "sending") return null;
  return (
    <span className={stopping.kind === "armed" ? "esc-hint strong" : "esc-hint"}>
      <kbd>Esc</kbd> {stopping.kind === "armed" ? "again interrupts" : "twice interrupts"}
    </span>
  );
}

/** A limit of the plan that is near or reached. */
function LimitNotice() {
  const { limits } = usePart("meters");
  const notices = Object.entries(limits as Record<string, Limit>).flatMap(([name, limit]) => {
    const notice = limitNotice(name, limit);
    return notice ? [{ name, ...notice }] : [];
  });
  return notices.map(({ name, words, isReached }) => (
    <p key={name} className={isReached ? "limit danger" : "limit"}>
      <Icon name={isReached ? "bad" : "warn"} />
      {words}
    </p>
  ));
}

/** What was allowed for the session only, and went with its process: it will be asked again. */
function LostGrants({ grants }: { grants: readonly string[] }) {
  if (grants.length === 0) return null;
  return (
    <details className="limit quiet">
      <summary>
        {counted(grants.length, "permission")} of the last run {grants.length === 1 ? "has" : "have"} ended with it, and
        will be asked for again
      </summary>
      <ul>
        {grants.map((grant) => (
          <li key={grant}>{grant}</li>
        ))}
      </ul>
    </details>
  );
}
