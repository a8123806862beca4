// How full the context is, and what fills it.

import { useEffect } from "react";
import { inSession, post } from "../../../api/http";
import { newId } from "../../../api/ids";
import { askContext } from "../../../api/server";
import type { Context } from "../../../generated";
import { usePart, useSession } from "../../../store/use";
import { Arc } from "../../Icon";
import { Popover } from "../../shell/Popover";
import { useAction } from "../../shell/useAction";
import { clock, count, counted, percent } from "../../words";
import { levelClass, Meter } from "./Meter";

export function ContextMeter() {
  const { context } = usePart("meters");
  const { used, window } = context;
  if (used === undefined || window === undefined || window === 0) return null;
  const share = (used / window) * 100;
  const words = `${used.toLocaleString()} of ${window.toLocaleString()} tokens`;
  return (
    <Popover
      label="Context"
      title={`Context: ${words}`}
      className="mini"
      button={
        <>
          <Meter percentage={share} label="Context" />
          <span className={levelClass(share)}>{percent(share)}</span>
        </>
      }
    >
      {(close) => <Breakdown context={context} share={share} words={words} close={close} />}
    </Popover>
  );
}

function Breakdown({
  context,
  share,
  words,
  close,
}: {
  context: Context;
  share: number;
  words: string;
  close: () => void;
}) {
  const { id } = useSession();
  const isRunning = usePart("status").agent === "running";
  const asked = useAction();
  const compacting = useAction();
  const ask = asked.run;
  useEffect(() => {
    // What it answers comes back with the state, for all screens.
    if (isRunning) ask(() => askContext(id));
  }, [id, isRunning, ask]);
  const used = context.categories.filter(({ name }) => !isFree(name));
  const most = Math.max(1, ...used.map(({ tokens }) => tokens));
  return (
    <div className="facts">
      <h2>
        Context <span className="num">{percent(share)}</span>
      </h2>
      <p className="muted">{words}</p>
      {context.categories.length === 0 ? null : (
        <table className="fact-table">
          <tbody>
            {context.categories.map(({ name, tokens }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>
                  {isFree(name) ? null : (
                    <svg className="share" viewBox="0 0 56 6" preserveAspectRatio="none" aria-hidden="true">
                      <rect className="t" width="56" height="6" rx="3" />
                      <rect className="f" width={(tokens / most) * 56} height="6" rx="3" />
                    </svg>
                  )}
                </td>
                <td className="r">{count(tokens)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p className="hint">
        {asked.isBusy ? (
          <span className="row">
            <Arc />
            Asking the agent
          </span>
        ) : (
          (asked.error ?? source(context, isRunning))
        )}
      </p>
      {compacting.error === undefined ? null : (
        <p role="alert" className="hint is-danger">
          {compacting.error}
        </p>
      )}
      {share >= 70 ? (
        <button
          type="button"
          className="btn sm"
          disabled={compacting.isBusy}
          onClick={() =>
            compacting.run(() => post(inSession(id, "messages"), { id: newId(), text: "/compact" }), close)
          }
        >
          {compacting.isBusy ? "Sending" : "Compact now"}
        </button>
      ) : null}
    </div>
  );
}

/** What is left is no part of what fills it. */
const isFree = (name: string): boolean => name.toLowerCase() === "free space";

function source(context: Context, isRunning: boolean): string {
  const times = context.compactions.length;
  const compacted = times === 0 ? "" : ` Compacted ${counted(times, "time")}.`;
  if (context.categoriesAt !== undefined) return `As the agent said at ${clock(context.categoriesAt)}.${compacted}`;
  return `${isRunning ? "As of the last answer." : "The agent is not running: what fills it is not known."}${compacted}`;
}
