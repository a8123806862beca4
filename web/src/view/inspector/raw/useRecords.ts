// The part of the log that is on the page: it grows to both sides, and at its end follows what comes.

import { useCallback, useEffect, useRef, useState } from "react";
import { messageOf } from "../../../api/http";
import { records } from "../../../api/inspect";
import { useKnown, useSession } from "../../../store/use";
import { type Entry, readRecords } from "./records";

/** So many records are brought at a time, so many when something is looked for; and so often it is looked for new ones. */
const PAGE = 400;
export const LARGE_PAGE = 2000;
const LOOK_MS = 600;
/** So many stand before the one that is looked for. */
const BEFORE = 60;

type Side = "earlier" | "later";

export type Records = {
  entries: readonly Entry[];
  hasEarlier: boolean;
  /** Does it end where the log ends? */
  isTail: boolean;
  isBusy: boolean;
  problem: string | undefined;
  bring: (side: Side, size?: number) => void;
  retry: () => void;
};

export function useRecords(at: number | undefined): Records {
  const session = useSession();
  const isKnown = useKnown();
  const [entries, setEntries] = useState<readonly Entry[]>([]);
  const [isTail, setTail] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | undefined>();
  /** What is on its way. */
  const coming = useRef<AbortController>(undefined);
  /** What failed, so that it can be tried again. */
  const failed = useRef<() => void>(undefined);
  const now = useRef(entries);
  now.current = entries;
  useEffect(() => () => coming.current?.abort(), []);

  const load = useCallback(
    async (after: number, limit: number, put: (page: Entry[]) => void) => {
      const abort = new AbortController();
      coming.current?.abort();
      coming.current = abort;
      setBusy(true);
      setProblem(undefined);
      try {
        const page = readRecords(await records(session.id, after, limit, abort.signal));
        if (!abort.signal.aborted) put(page);
      } catch (cause) {
        if (abort.signal.aborted) return;
        failed.current = () => void load(after, limit, put);
        setProblem(messageOf(cause));
      }
      if (coming.current !== abort) return;
      coming.current = undefined;
      setBusy(false);
    },
    [session],
  );

  // From the end, or around the one that is looked for.
  useEffect(() => {
    if (!isKnown) return;
    const [first, last] = [now.current[0]?.seq, now.current.at(-1)?.seq];
    if (at !== undefined && first !== undefined && last !== undefined && at >= first && at <= last) return;
    if (at === undefined && first !== undefined) return;
    const end = session.lastSeq();
    const after = at === undefined ? end - PAGE : at - BEFORE;
    void load(Math.max(0, after), PAGE, (page) => {
      setEntries(page);
      setTail((page.at(-1)?.seq ?? 0) >= end || page.length < PAGE);
    });
  }, [session, isKnown, at, load]);

  const bring = useCallback(
    (side: Side, size = PAGE) => {
      const [first, last] = [now.current[0]?.seq, now.current.at(-1)?.seq];
      if (first === undefined || last === undefined || coming.current !== undefined) return;
      if (side === "earlier" && first > 1) {
        const after = Math.max(0, first - 1 - size);
        void load(after, first - 1 - after, (page) => setEntries((there) => joined(page, there)));
      }
      if (side === "later") {
        void load(last, PAGE, (page) => {
          setEntries((there) => joined(there, page));
          setTail(page.length < PAGE);
        });
      }
    },
    [load],
  );

  // The log goes on.
  useEffect(() => {
    if (!isTail) return;
    const timer = setInterval(() => {
      if (session.lastSeq() > (now.current.at(-1)?.seq ?? 0)) bring("later");
    }, LOOK_MS);
    return () => clearInterval(timer);
  }, [session, isTail, bring]);

  const hasEarlier = (entries[0]?.seq ?? 1) > 1;
  return { entries, hasEarlier, isTail, isBusy, problem, bring, retry: () => failed.current?.() };
}

/** None of them twice. */
function joined(before: readonly Entry[], after: readonly Entry[]): readonly Entry[] {
  const last = before.at(-1)?.seq ?? 0;
  return [...before, ...after.filter(({ seq }) => seq > last)];
}
