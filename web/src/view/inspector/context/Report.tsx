// What to do when the agent has not said what fills its context: ask again, start it, or let it write its own report.

import { sendCommand } from "../../../api/inspect";
import { usePart, useSession } from "../../../store/use";
import { Failure } from "../../shell/Failure";
import { useAction } from "../../shell/useAction";
import type { Asked } from "./useContextAnswer";

export function Report({ asked, hasParts }: { asked: Asked; hasParts: boolean }) {
  const { id } = useSession();
  const isRunning = usePart("status").agent === "running";
  const report = useAction();
  const isSilent = asked.isLate || asked.error !== undefined;
  if (isRunning && !isSilent && (hasParts || asked.isBusy)) {
    return (
      <button type="button" className="btn quiet sm" disabled={asked.isBusy} onClick={asked.ask}>
        Ask again
      </button>
    );
  }
  return (
    <div className="pane-more">
      <p className="hint">
        {whyNot(asked, isRunning, hasParts)} Its own report, <code>/context</code>, is written into the conversation and
        costs nothing.
      </p>
      <Failure words={report.error} />
      <div className="row">
        <button
          type="button"
          className="btn sm"
          disabled={report.isBusy}
          onClick={() => report.run(() => sendCommand(id, "/context"))}
        >
          {report.isBusy ? "Sending" : isRunning ? "Run /context" : "Start the agent and run /context"}
        </button>
        {isRunning && !asked.isBusy ? (
          <button type="button" className="btn quiet sm" onClick={asked.ask}>
            Ask again
          </button>
        ) : null}
      </div>
    </div>
  );
}

function whyNot(asked: Asked, isRunning: boolean, hasParts: boolean): string {
  if (!isRunning) {
    return hasParts
      ? "The agent is not running: this is what it said last."
      : "The agent is not running: what fills it is not known.";
  }
  if (asked.error !== undefined) return `The agent did not say: ${asked.error}`;
  if (asked.isLate) return "The agent does not answer; older versions do not know the question.";
  return "The agent has not said what fills it.";
}
