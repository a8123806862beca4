// Asks a running agent what fills its context: when somebody looks, after each turn and compaction, and when he says so. Older agents do not
// know the question and say nothing at all.

import { useEffect, useRef, useState } from "react";
import { ApiError } from "../../../api/http";
import { askContext, type ContextAnswer } from "../../../api/inspect";
import { usePart, useSession } from "../../../store/use";
import { useAction } from "../../shell/useAction";

export type Asked = {
  answer: ContextAnswer | undefined;
  isBusy: boolean;
  /** Does it take longer than an agent takes that knows the answer? */
  isLate: boolean;
  error: string | undefined;
  ask: () => void;
};

const LATE_MS = 4000;

/** An answer is about the context as it was after so many compactions. */
type Answered = { answer: ContextAnswer; compactions: number };

/** What was answered last, so that it is there when somebody comes back. */
const answers = new Map<string, Answered>();
/** What the agent of a session said last; none if nobody has asked. */
export const lastAnswer = (id: string): ContextAnswer | undefined => answers.get(id)?.answer;

/** Those that did not answer: they are asked again only if somebody says so. */
const silent = new Set<string>();

export function useContextAnswer(): Asked {
  const { id } = useSession();
  const { turns, context } = usePart("meters");
  const compactions = context.compacted;
  const isRunning = usePart("status").agent === "running";
  const { run, isBusy, error } = useAction();
  const [answered, setAnswered] = useState(answers.get(id));
  const [isLate, setLate] = useState(silent.has(id));
  const [times, setTimes] = useState(0);
  const asked = useRef(times);
  const open = useRef<AbortController>(undefined);
  // What has happened since may have made an answer old.
  const now = useRef("");
  now.current = `${turns} ${compactions}`;
  useEffect(() => {
    const isWanted = asked.current !== times;
    asked.current = times;
    // A question that is open stays so: it may be answered yet, only late.
    if (!isRunning || (silent.has(id) && !isWanted)) return;
    open.current?.abort();
    const abort = new AbortController();
    open.current = abort;
    const timer = setTimeout(() => {
      if (abort.signal.aborted) return;
      silent.add(id);
      setLate(true);
    }, LATE_MS);
    const askedAt = `${turns} ${compactions}`;
    run(async () => {
      try {
        const given = { answer: await askContext(id, abort.signal), compactions };
        answers.set(id, given);
        silent.delete(id);
        setLate(false);
        setAnswered(given);
        if (now.current !== askedAt) setTimes((before) => before + 1);
      } catch (cause) {
        if (abort.signal.aborted) return;
        if (cause instanceof ApiError && cause.code === "agent_refused") silent.add(id);
        throw cause;
      } finally {
        clearTimeout(timer);
      }
    });
  }, [id, isRunning, turns, compactions, times, run]);
  useEffect(() => () => open.current?.abort(), []);
  const answer = answered?.compactions === compactions ? answered.answer : undefined;
  return { answer, isBusy, isLate, error, ask: () => setTimes((before) => before + 1) };
}
