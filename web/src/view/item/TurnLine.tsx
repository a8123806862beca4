// A turn that has ended, in one line: steps, files, time, cost, and how it ended if not well. Folds and unfolds its steps.

import type { TurnItem, TurnOutcome } from "../../generated";
import { useItem, useSession } from "../../store/use";
import { Icon } from "../Icon";
import { counted, dollars, duration } from "../words";
import { Press } from "./inRow";
import { Value } from "./tool/OtherBody";

const OUTCOMES: Record<TurnOutcome, string | undefined> = {
  completed: undefined,
  command: undefined,
  interrupted: "Interrupted",
  failed: "Failed",
  maxTurns: "Stopped: the limit of turns was reached",
  maxBudget: "Stopped: the budget was used up",
};

type Props = { id: string; steps: number; isOpen: boolean; hasError: boolean };

export function TurnLine({ id, steps, isOpen, hasError }: Props) {
  const session = useSession();
  const item = useItem(id);
  if (item?.body.kind !== "turn") return null;
  const turn = item.body;
  const parts = <Parts turn={turn} steps={steps} />;
  const message = turn.message === undefined || turn.outcome === "interrupted" || hasError ? null : turn.message;
  return (
    <div className="turn-end">
      {steps === 0 ? (
        <div className="fold">
          <span className="no-glyph" />
          {parts}
        </div>
      ) : (
        <Press className="fold" aria-expanded={isOpen} onClick={() => session.toggle(id)} data-toggle="">
          <Icon name={isOpen ? "down" : "right"} />
          {parts}
        </Press>
      )}
      {turn.structuredOutput === undefined ? null : (
        <div className="turn-output">
          <Value clip={turn.structuredOutput} id={`${id}:output`} label="Structured answer" />
        </div>
      )}
      {message === null ? null : <p className="turn-message as-written">{message}</p>}
    </div>
  );
}

function Parts({ turn, steps }: { turn: TurnItem; steps: number }) {
  const outcome = OUTCOMES[turn.outcome];
  const isFailure = turn.outcome === "failed";
  const parts = [
    outcome === undefined ? null : (
      <span key="outcome" className={isFailure ? "is-danger strong-state" : "strong-state"}>
        {outcome}
      </span>
    ),
    turn.origin === undefined ? null : <span key="origin">{originWords(turn.origin)}</span>,
    steps === 0 ? null : <span key="steps">{counted(steps, "step")}</span>,
    turn.files.length === 0 ? null : <Files key="files" turn={turn} />,
    turn.denials.length === 0 ? null : (
      <span key="denials" title={turn.denials.map((denial) => denial.tool).join(", ")}>
        {turn.denials.length} denied
      </span>
    ),
    turn.durationMs === undefined ? null : (
      <span key="time" className="num">
        {duration(turn.durationMs)}
      </span>
    ),
    turn.costUsd === undefined || turn.costUsd === 0 ? null : (
      <span key="cost" className="num" title={costByModel(turn)}>
        {dollars(turn.costUsd)}
      </span>
    ),
  ].filter((part) => part !== null);
  return parts.map((part, at) => (
    <span key={part.key} className="fold-part">
      {at > 0 ? (
        <span className="sep" aria-hidden="true">
          ·
        </span>
      ) : null}
      {part}
    </span>
  ));
}

function Files({ turn }: { turn: TurnItem }) {
  const sum = (side: "added" | "removed") => turn.files.reduce((all, file) => all + file[side], 0);
  const names = turn.files.map((file) => `${file.path} +${file.added} −${file.removed}`).join("\n");
  return (
    <span title={names}>
      {counted(turn.files.length, "file")} <span className="added num">+{sum("added")}</span>{" "}
      <span className="removed num">−{sum("removed")}</span>
    </span>
  );
}

function costByModel(turn: TurnItem): string {
  return Object.entries(turn.models)
    .map(([model, usage]) => (usage?.costUsd === undefined ? model : `${model} ${dollars(usage.costUsd)}`))
    .join("\n");
}

function originWords(origin: string): string {
  return origin === "task-notification" ? "A background task reported" : origin.replace(/[-_]/g, " ");
}
