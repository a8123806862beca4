// How long something takes: counting while it runs, standing when it has ended.

import { useNow } from "../now";
import { duration } from "../words";

/** Counts in whole seconds from when it began; what has just begun needs no figure. */
export function Counting({ since }: { since: number }) {
  const seconds = Math.floor((useNow() - since) / 1000);
  return seconds < 1 ? null : <span className="num is-running">{duration(seconds * 1000).replace(".0", "")}</span>;
}

export function Took({ ms }: { ms: number | undefined }) {
  return ms === undefined ? null : <span className="num">{duration(ms)}</span>;
}
