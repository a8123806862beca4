// Where the context was summed up or cleared: when, why, and how much that gave.

import type { CompactionMark, CompactionTrigger } from "../../../generated";
import { useNow } from "../../now";
import { count, exactly, when } from "../../words";
import { ShowInConversation } from "../ShowInConversation";

const WHY: Record<CompactionTrigger, string> = { auto: "By itself", manual: "On request", cleared: "Cleared" };

/** `times` counts all of them; the marks are those of the last ones. */
type Props = { marks: readonly CompactionMark[]; times: number; window: number | undefined };

export function Compactions({ marks, times, window }: Props) {
  const now = useNow(true, 10_000);
  if (marks.length === 0) return null;
  return (
    <section className="pane-sec" aria-label="Compactions">
      <div className="pane-head">
        <h2>Compacted</h2>
        <span className="num faint">{times}</span>
      </div>
      <ul className="mark-list">
        {[...marks].reverse().map((mark) => (
          <li key={mark.item}>
            <time title={exactly(mark.at)}>{when(mark.at, now)}</time>
            <span>{WHY[mark.trigger]}</span>
            <Sizes mark={mark} window={window} />
            <ShowInConversation item={mark.item} what={`compaction, ${exactly(mark.at)}`} />
          </li>
        ))}
      </ul>
      {times > marks.length ? <p className="hint">Earlier ones are in the conversation.</p> : null}
    </section>
  );
}

function Sizes({ mark: { before, after }, window }: { mark: CompactionMark; window: number | undefined }) {
  if (before === undefined) return <span className="faint">no figures</span>;
  const share = (tokens: number) => Math.min(1, tokens / Math.max(1, window ?? before)) * 56;
  return (
    <span className="row">
      <svg className="share" viewBox="0 0 56 6" preserveAspectRatio="none" aria-hidden="true">
        <rect className="t" width="56" height="6" rx="3" />
        <rect className="before" width={share(before)} height="6" rx="3" />
        {after === undefined ? null : <rect className="f" width={share(after)} height="6" rx="3" />}
      </svg>
      <span className="num">
        {count(before)}
        {after === undefined ? "" : ` → ${count(after)}`}
      </span>
    </span>
  );
}
