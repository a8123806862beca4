// A new session that begins with a summary of this one: the one that there is, or one that the agent makes first. What it becomes is
// shown in the dialog for new sessions, where all of it can be changed.

import { useCallback, useEffect, useRef } from "react";
import { askSession } from "../../../api/server";
import { SessionContext, useItems, usePart, useSession, useSessions } from "../../../store/use";
import { Arc } from "../../Icon";
import { Dialog } from "../../shell/Dialog";
import { Failure } from "../../shell/Failure";
import { useAction } from "../../shell/useAction";
import { startWith } from "../../start/prefill";
import { fetchWhole } from "../../whole";
import { clock, counted } from "../../words";
import { lastSummary, type Summary, summaryMessage } from "../summary";
import { useCompact } from "../useCompact";

export function SummaryDialog({ id, onClose }: { id: string; onClose: () => void }) {
  return (
    <SessionContext value={useSessions().store(id)}>
      <Dialog title="New session from a summary" className="confirm" onClose={onClose}>
        <Content onClose={onClose} />
      </Dialog>
    </SessionContext>
  );
}

function Content({ onClose }: { onClose: () => void }) {
  const summary = useItems(lastSummary);
  const looking = useBrought();
  const { begin, isBusy, error } = useBegin(onClose);
  const compacting = useCompact();
  const { turn } = usePart("status");
  // The summary that there was when another one was asked for.
  const before = useRef<{ item: string | undefined }>(undefined);
  const compact = () => {
    before.current = { item: summary?.item };
    compacting.compact();
  };
  useEffect(() => {
    if (before.current === undefined || summary === undefined || summary.item === before.current.item) return;
    before.current = undefined;
    begin(summary);
  }, [summary, begin]);
  const isStale = summary !== undefined && summary.turnsSince > 0;
  return (
    <>
      <div className="dialog-body">
        <p>{words(summary, looking)}</p>
        {compacting.isWaiting && turn !== undefined ? (
          <p className="hint">It compacts when this turn has ended.</p>
        ) : null}
        <Failure words={compacting.error ?? error} />
      </div>
      <div className="dialog-foot">
        <span className="grow" />
        <button type="button" className="btn quiet" onClick={onClose}>
          Cancel
        </button>
        {summary === undefined || isStale ? (
          <button
            type="button"
            className={summary === undefined ? "btn primary" : "btn"}
            disabled={looking || compacting.isBusy || compacting.isWaiting}
            onClick={compact}
          >
            {compacting.isBusy ? <Arc className="" /> : null}
            {compacting.isBusy ? "Compacting" : "Compact first"}
          </button>
        ) : null}
        {summary === undefined ? null : (
          <button
            type="button"
            data-autofocus
            className="btn primary"
            disabled={isBusy || compacting.isBusy}
            onClick={() => begin(summary)}
          >
            Use this summary
          </button>
        )}
      </div>
    </>
  );
}

function words(summary: Summary | undefined, isLooking: boolean): string {
  if (isLooking) return "Looking for a summary …";
  if (summary === undefined) {
    return "There is no summary of this conversation yet. Compacting makes one; from then on the agent knows only the summary in this session, too.";
  }
  const { at, turnsSince } = summary;
  const rest =
    turnsSince === 0 ? "" : ` ${counted(turnsSince, "turn")} since then ${turnsSince === 1 ? "is" : "are"} not in it.`;
  return `The summary of ${clock(at)} becomes the first message of a session in the same folder, with the options that this one was started with. You can change all of it before it starts.${rest}`;
}

/** The last compaction may stand before what was brought: it is brought, too. True while that goes on. */
function useBrought(): boolean {
  const session = useSession();
  const mark = usePart("meters").context.compactions.at(-1)?.item;
  const { run, isBusy } = useAction();
  useEffect(() => {
    let isOver = false;
    run(async () => {
      while (!isOver && mark !== undefined && session.item(mark) === undefined && session.hasOlder()) {
        if (!(await session.bringOlder())) await new Promise((resolve) => setTimeout(resolve, 50));
      }
    });
    return () => {
      isOver = true;
    };
  }, [run, session, mark]);
  return isBusy && mark !== undefined && session.item(mark) === undefined;
}

/** Opens the dialog for new sessions with the summary in it. */
function useBegin(onClose: () => void) {
  const { id } = useSession();
  const { cwd } = usePart("status");
  const title = useSessions().title(id) ?? "New session";
  const { run, isBusy, error } = useAction();
  const begin = useCallback(
    ({ words }: Summary) =>
      run(
        async () => {
          const text = words.more ? await fetchWhole(id, words.more) : words.text;
          const { options = {} } = await askSession(id);
          const { title: _, ...same } = options;
          return { options: { ...(cwd === undefined ? {} : { cwd }), ...same }, message: summaryMessage(title, text) };
        },
        (prefill, isThere) => {
          if (!isThere) return;
          onClose();
          startWith(prefill);
        },
      ),
    [run, id, cwd, title, onClose],
  );
  return { begin, isBusy, error };
}
