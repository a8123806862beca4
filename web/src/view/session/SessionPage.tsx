// One session: its header, its conversation, what it asks, and where to write.

import { useEffect, useMemo } from "react";
import { changeOwn } from "../../api/server";
import { SessionContext, useKnown, useSessionList, useSessions, useTrouble } from "../../store/use";
import { AskDock } from "../ask/AskDock";
import { Composer } from "../composer/Composer";
import { placeHref } from "../route";
import { Words } from "../start/Trouble";
import { Timeline } from "../timeline/Timeline";
import { SessionHeader } from "./SessionHeader";
import { StatusLine } from "./StatusLine";

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
        <Body />
      </main>
    </SessionContext>
  );
}

function Body() {
  const trouble = useTrouble();
  const isKnown = useKnown();
  // What was known of it before stays readable, whatever the server says now.
  if (trouble?.code === "no_session" || (trouble && !isKnown)) return <Gone message={trouble.message} />;
  return (
    <>
      <SessionHeader />
      <Timeline />
      <div className="dock">
        <div className="col">
          <StatusLine />
          <AskDock />
          <Composer />
        </div>
      </div>
    </>
  );
}

function Gone({ message }: { message: string }) {
  return (
    <div className="first">
      <div className="first-in" role="alert">
        <h1>This session cannot be shown</h1>
        <p className="lead">
          <Words text={`${message.slice(0, 1).toUpperCase()}${message.slice(1)}.`} />
        </p>
        <a className="btn" href={placeHref({ page: "sessions" })}>
          Back to the sessions
        </a>
      </div>
    </div>
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
      changeOwn(id, { seenSeq: last }).catch(() => {});
    };
    note();
    document.addEventListener("visibilitychange", note);
    return () => document.removeEventListener("visibilitychange", note);
  }, [sessions, id, last]);
  return null;
}
