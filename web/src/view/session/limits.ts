// The limits of the plan, in words: a limit in, a notice if it is near or reached out. Pure.

import type { Limit, Overage } from "../../generated";
import { clock, percent } from "../words";

const NAMES: Record<string, string> = {
  five_hour: "5-hour limit",
  seven_day: "weekly limit",
  seven_day_opus: "weekly limit for Opus",
  seven_day_sonnet: "weekly limit for Sonnet",
  overage: "limit for extra use",
};

function limitTitle(name: string): string {
  return NAMES[name] ?? `${name.replaceAll("_", " ")} limit`.replace(/ limit limit$/, " limit");
}

export function limitNotice(
  name: string,
  limit: Limit,
  now: number = Date.now(),
): { words: string; isReached: boolean } | undefined {
  const isPast = limit.resetsAt !== undefined && limit.resetsAt <= now;
  if (isPast) return undefined;
  const isReached = limit.status === "rejected";
  if (!isReached && limit.status !== "allowed_warning") return undefined;
  const resets = limit.resetsAt === undefined ? "" : `; it begins anew ${moment(limit.resetsAt, now)}`;
  if (isReached) return { words: `The ${limitTitle(name)} is reached${resets}.`, isReached };
  const used = limit.usedPercent === undefined ? "Most" : percent(limit.usedPercent);
  return { words: `${used} of the ${limitTitle(name)} is used${resets}.`, isReached };
}

/** At a time of today, or on a date. */
function moment(at: number, now: number): string {
  const isToday = new Date(at).toDateString() === new Date(now).toDateString();
  if (isToday) return `at ${clock(at)}`;
  return `on ${new Date(at).toLocaleDateString(undefined, { day: "numeric", month: "short" })}, ${clock(at)}`;
}

/** What there is to say of use beyond the plan, which costs extra. */
export function overageWords(overage: Overage | undefined): string | undefined {
  if (overage === undefined) return undefined;
  if (overage.inUse) return "Beyond the plan: what is used now is paid for as extra usage.";
  const why = overage.disabledReason?.replaceAll("_", " ");
  if (why !== undefined) return `No use beyond the plan: ${why}.`;
  return overage.status === "rejected" ? "No use beyond the plan." : undefined;
}
