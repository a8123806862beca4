// One session: its header, its conversation, what it asks, and where to write.

import { lazy, Suspense, useEffect, useMemo } from "react";
import { changeOwn } from "../../api/server";
import { SessionContext, useKnown, useSessionList, useSessions, useTrouble } from "../../store/use";
import { AskDock } from "../ask/AskDock";
import { Composer } from "../composer/Composer";
import { ShownContext, useShown } from "../inspector/shown";
import { type Place, placeHref } from "../route";
import { Boundary, failedPane } from "../shell/Boundary";
import { Timeline } from "../timeline/Timeline";
import { Words } from "../Words";
import { SessionDeeds } from "./SessionDeeds";
import { SessionHeader } from "./SessionHeader";
import { StatusLine } from "./StatusLine";
import { TerminalNotice } from "./TerminalNotice";

/** Who does not look at it need not load it. */
const Inspector = lazy(() => import("../inspector/Inspector"));

export function SessionPage({ place }: { place: Extract<Place, { page: "session" }> }) {
  const { id } = place;
  const shown = useShown(place);
  const sessions = useSessions();
  const store = useMemo(() => sessions.store(id), [sessions, id]);
  useEffect(() => {
    store.open();
    return () => store.close();
  }, [store]);
  return (
    <SessionContext value={store}>
      <Seen id={id} />
      <SessionDeeds />
      <ShownContext value={shown}>
        <main className="main">
          <Body />
        </main>
        {shown.tab === undefined ? null : (
          <aside className="inspector" id="inspector" aria-label="Inspector">
            <Boundary draw={failedPane}>
              <Suspense>
                <Inspector tab={shown.tab} at={shown.at} />
              </Suspense>
            </Boundary>
          </aside>
        )}
      </ShownContext>
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
          <TerminalNotice />
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
          <Words text={message} />
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
      // Once: who marks it as unread then, and goes away and comes back, wants it to be that.
      document.removeEventListener("visibilitychange", note);
      // If it cannot be kept, it is unread on other screens: no harm.
      const telling = changeOwn(id, { seenSeq: last }).catch(() => {});
      void sessions.say(id, { seenSeq: last }, telling);
    };
    document.addEventListener("visibilitychange", note);
    note();
    return () => document.removeEventListener("visibilitychange", note);
  }, [sessions, id, last]);
  return null;
}
