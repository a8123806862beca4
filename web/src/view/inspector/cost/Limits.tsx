// The limits of the plan, where the CLI reports them: how much of each is used, and when it begins anew.

import type { Limit, Meters } from "../../../generated";
import { useNow } from "../../now";
import { fullness, limitWords } from "../../session/header/Limits";
import { levelClass, Meter } from "../../session/header/Meter";
import { overageWords } from "../../session/limits";
import { clock, duration, exactly, limitName, weekday } from "../../words";

export function Limits({ limits, overage }: Pick<Meters, "limits" | "overage">) {
  const all = Object.entries(limits);
  const beyond = overageWords(overage);
  return all.length === 0 && beyond === undefined ? null : (
    <section className="pane-sec" aria-label="Limits of the plan">
      <div className="pane-head">
        <h2>Limits of the plan</h2>
      </div>
      <ul className="limit-list">
        {all.map(([name, limit]) => (
          <LimitRow key={name} name={name} limit={limit} />
        ))}
      </ul>
      {beyond === undefined ? null : <p className={overage?.inUse ? "is-warn strong" : "hint"}>{beyond}</p>}
    </section>
  );
}

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;

function LimitRow({ name, limit }: { name: string; limit: Limit }) {
  const now = useNow(true, 10_000);
  const { resetsAt, usedPercent } = limit;
  const isOver = resetsAt !== undefined && resetsAt <= now;
  return (
    <li>
      <span>{limitName(name)}</span>
      {isOver ? null : (
        <span className={limit.status === "rejected" ? "is-danger strong" : levelClass(fullness(limit))}>
          {limitWords(limit)}
        </span>
      )}
      {usedPercent === undefined || isOver ? null : <Meter percentage={usedPercent} label={limitName(name)} isWide />}
      {resetsAt === undefined ? null : (
        <span className="hint" title={exactly(resetsAt)}>
          {isOver
            ? "Has begun anew"
            : `Begins anew ${resetsAt - now < DAY ? `at ${clock(resetsAt)}` : `on ${weekday(resetsAt)}`}, in ${rough(resetsAt - now)}`}
        </span>
      )}
    </li>
  );
}

/** Without seconds, and in days where there are several. */
function rough(ms: number): string {
  if (ms < MINUTE) return "less than a minute";
  if (ms >= 2 * DAY) return `${Math.round(ms / DAY)} days`;
  return ms < 60 * MINUTE ? `${Math.floor(ms / MINUTE)}\u2009m` : duration(ms);
}
