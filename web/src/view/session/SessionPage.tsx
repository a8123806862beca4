// One session: its header, its conversation, what it asks, and where to write.

import { useEffect, useMemo } from "react";
import { patch } from "../../api/http";
import { SessionContext, usePart, useSessionList, useSessions } from "../../store/use";
import { AskDock } from "../ask/AskDock";
import { Composer } from "../composer/Composer";
import { Timeline } from "../timeline/Timeline";
import { SessionHeader } from "./SessionHeader";

export function SessionPage({ id }: { id: string }) {
  const sessions = useSessions();
  const store = useMemo(() => sessions.store(id), [sessions, id]);
  useEffect(() => {
    store.open();
    return () => store.close();
  }, [store]);
  return (
    <SessionContext value={store}>
      <Seen id={id} />
      <main className="main">
        <SessionHeader />
        <Timeline />
        <div className="dock">
          <div className="col">
            <StatusLine />
            <AskDock />
            <Composer />
          </div>
        </div>
      </main>
    </SessionContext>
  );
}

/** What is looked at was read. */
function Seen({ id }: { id: string }) {
  const sessions = useSessions();
  const list = useSessionList();
  const last = list.find((row) => row.id === id)?.lastTurnSeq ?? 0;
  useEffect(() => {
    if (last === 0 || last <= sessions.seenSeq(id)) return;
    const note = () => {
      if (document.visibilityState === "hidden") return;
      sessions.markSeen(id, last);
      // If it cannot be kept, it is unread on other screens: no harm.
      patch(`sessions/${id}`, { seenSeq: last }).catch(() => {});
    };
    note();
    document.addEventListener("visibilitychange", note);
    return () => document.removeEventListener("visibilitychange", note);
  }, [sessions, id, last]);
  return null;
}

function StatusLine() {
  const status = usePart("status");
  return <div className="status">{status.words}</div>;
}
