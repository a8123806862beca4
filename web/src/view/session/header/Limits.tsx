// The limits of the plan, where the CLI reports them: the fullest one in the header, all of them behind it.

import type { Limit } from "../../../generated";
import { usePart } from "../../../store/use";
import { useNow } from "../../now";
import { Popover } from "../../shell/Popover";
import { clock, exactly, limitName, percent, shortLimitName, weekday } from "../../words";
import { levelClass, Meter } from "./Meter";

export function Limits() {
  const { limits } = usePart("meters");
  const all = Object.entries(limits);
  const [fullest] = [...all].sort(([, a], [, b]) => fullness(b) - fullness(a));
  if (fullest === undefined) return null;
  const [name, limit] = fullest;
  return (
    <Popover
      label="Limits of the plan"
      title="Limits of the plan"
      className="mini limits"
      button={
        <>
          <span>{shortLimitName(name)}</span>
          <span className={limit.status === "rejected" ? "is-danger strong" : levelClass(fullness(limit))}>
            {limitWords(limit)}
          </span>
        </>
      }
    >
      <div className="facts">
        <h2>Limits of the plan</h2>
        <ul className="limit-list">
          {all.map(([each, its]) => (
            <LimitRow key={each} name={each} limit={its} />
          ))}
        </ul>
      </div>
    </Popover>
  );
}

/** A limit of which no share is told is full when nothing is let through any more. */
function fullness(limit: Limit): number {
  return limit.usedPercent ?? (limit.status === "rejected" ? 100 : limit.status === "allowed_warning" ? 80 : 0);
}

function limitWords(limit: Limit): string {
  if (limit.status === "rejected") return "used up";
  if (limit.usedPercent !== undefined) return percent(limit.usedPercent);
  return limit.status === "allowed_warning" ? "nearly used up" : "fine";
}

function LimitRow({ name, limit }: { name: string; limit: Limit }) {
  const now = useNow();
  const { resetsAt } = limit;
  return (
    <li>
      <span>{limitName(name)}</span>
      <span className={levelClass(fullness(limit))}>{limitWords(limit)}</span>
      {limit.usedPercent === undefined ? null : <Meter percentage={limit.usedPercent} label={limitName(name)} isWide />}
      {resetsAt === undefined ? null : (
        <span className="hint" title={exactly(resetsAt)}>
          Begins anew {resetsAt - now < 86_400_000 ? `at ${clock(resetsAt)}` : `on ${weekday(resetsAt)}`}
        </span>
      )}
    </li>
  );
}
