// The questions that are open, the one that is shown, and those that have just gone: what the session says in, what to draw out.

import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { Ask, Decision, DecisionOutcome } from "../../generated";
import type { SessionStore } from "../../store/session";
import { usePart, useSession, useSocket } from "../../store/use";
import { goneWords } from "./titles";

/** So long one reads what became of a question that somebody else answered. */
const GONE_MS = 2000;

export type Gone = { ask: Ask; words: string; outcome: DecisionOutcome | undefined };

export type Asks = {
  /** Who has waited longest comes first. */
  open: readonly Ask[];
  current: Ask | undefined;
  gone: readonly Gone[];
  show: (number: number) => void;
  noteAnswer: (ask: Ask, outcome: "sent" | "taken" | "late" | "failed") => void;
  /** Was the last one that went answered here? */
  wasOurs: () => boolean;
};

/** How a question was decided, as the call that it is about says. */
function decisionOf(session: SessionStore, ask: Ask): Decision | undefined {
  const body = ask.call === undefined ? undefined : session.item(ask.call)?.body;
  return body?.kind === "tool" || body?.kind === "agent" ? body.decision : undefined;
}

export function useAsks(): Asks {
  const session = useSession();
  const socket = useSocket();
  const asks = usePart("asks");
  const open = useMemo(() => [...asks].sort((a, b) => a.at - b.at || a.seq - b.seq), [asks]);
  const [shown, setShown] = useState<{ id: string; at: number }>();
  const [gone, setGone] = useState<readonly Gone[]>([]);
  const ours = useRef(new Set<string>());
  const lastWasOurs = useRef(false);
  const before = useRef<readonly Ask[]>([]);

  // The one that was chosen; when it has gone, the one that took its place.
  const known = open.findIndex(({ id }) => id === shown?.id);
  const at = known >= 0 ? known : Math.min(shown?.at ?? 0, open.length - 1);
  const current = open[at];

  const say = useCallback(
    (ask: Ask) => {
      const decision = decisionOf(session, ask);
      const words = goneWords(ask.body.kind, decision, socket.device());
      const others = (all: readonly Gone[]) => all.filter((one) => one.ask.id !== ask.id);
      setGone((all) => [...others(all), { ask, words, outcome: decision?.outcome }]);
      setTimeout(() => setGone(others), GONE_MS);
    },
    [session, socket],
  );
  useEffect(() => {
    for (const ask of before.current) {
      if (open.some(({ id }) => id === ask.id)) continue;
      lastWasOurs.current = ours.current.has(ask.id);
      if (!lastWasOurs.current) say(ask);
    }
    before.current = open;
  }, [open, say]);

  const show = useCallback(
    (number: number) => {
      const ask = open[number - 1];
      if (ask) setShown({ id: ask.id, at: number - 1 });
    },
    [open],
  );
  const noteAnswer = useCallback(
    (ask: Ask, outcome: "sent" | "taken" | "late" | "failed") => {
      if (outcome === "sent") ours.current.add(ask.id);
      else if (outcome !== "taken") ours.current.delete(ask.id);
      // It went while our answer was on its way: somebody else's came first.
      if (outcome === "late" && !before.current.some(({ id }) => id === ask.id)) say(ask);
    },
    [say],
  );
  const wasOurs = useCallback(() => lastWasOurs.current, []);
  useEffect(() => {
    if (current && current.id !== shown?.id) setShown({ id: current.id, at });
  }, [current, shown, at]);
  return { open, current, gone, show, noteAnswer, wasOurs };
}
