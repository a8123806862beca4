// How long something takes: counting while it runs, standing when it has ended.

import { useNow } from "../now";
import { duration } from "../words";

/** Counts in whole seconds from when it began. */
export function Counting({ since }: { since: number }) {
  const now = useNow();
  const ms = Math.max(0, now - since);
  return (
    <span className="num is-running">
      {duration(ms < 10_000 ? Math.floor(ms / 1000) * 1000 : ms).replace(".0", "")}
    </span>
  );
}

export function Took({ ms }: { ms: number | undefined }) {
  return ms === undefined ? null : <span className="num">{duration(ms)}</span>;
}
