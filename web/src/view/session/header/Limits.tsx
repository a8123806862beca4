// The limits of the plan, where the CLI reports them: the fullest one. All of them are in the inspector.

import type { Limit } from "../../../generated";
import { usePart } from "../../../store/use";
import { useNow } from "../../now";
import { percent, shortLimitName } from "../../words";
import { levelClass } from "./Meter";
import { TabButton } from "./TabButton";

export function Limits() {
  const { limits, overage } = usePart("meters");
  const now = useNow(Object.keys(limits).length > 0, 10_000);
  // What a window says that has begun anew is over.
  const open = Object.entries(limits).filter(([, { resetsAt }]) => resetsAt === undefined || resetsAt > now);
  const [fullest] = open.sort(([, a], [, b]) => fullness(b) - fullness(a));
  if (fullest === undefined) return null;
  const [name, limit] = fullest;
  return (
    <TabButton tab="cost" title="Limits of the plan" className="mini limits">
      <span>{shortLimitName(name)}</span>
      <span className={limit.status === "rejected" ? "is-danger strong" : levelClass(fullness(limit))}>
        {limitWords(limit)}
      </span>
      {overage?.inUse ? <span className="is-warn strong">extra</span> : null}
    </TabButton>
  );
}

/** A limit of which no share is told is full when nothing is let through any more. */
export function fullness(limit: Limit): number {
  return limit.usedPercent ?? (limit.status === "rejected" ? 100 : limit.status === "allowed_warning" ? 80 : 0);
}

export function limitWords(limit: Limit): string {
  if (limit.status === "rejected") return "used up";
  if (limit.usedPercent !== undefined) return percent(limit.usedPercent);
  return limit.status === "allowed_warning" ? "nearly used up" : "fine";
}
