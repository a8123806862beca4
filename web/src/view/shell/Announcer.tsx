// The one polite live region: it says what happened to sessions and to the connection, once each, and never the stream. Who looks
// elsewhere is told by a notification or a sound.

import { useEffect, useRef, useState } from "react";
import type { Row } from "../../api/frames";
import type { Connection } from "../../api/socket";
import { useConnection, useSessionList, useSessions } from "../../store/use";
import { type Notice, tell } from "../notice/tell";
import { clock } from "../words";
import { type News, news, type Told, toldOf } from "./news";

/** What somebody who looks elsewhere wants to know; its name is the same in every tab. */
function noticeOf(row: Row, title: string, fresh: News): Notice | undefined {
  const { kind, words } = fresh;
  if (kind === "answered" || kind === "started") return undefined;
  const event = kind === "needsYou" ? "needsYou" : "finished";
  const moment = event === "needsYou" ? `${row.since}:${row.asks}:${row.needsYou ?? ""}` : `${row.lastTurnSeq}:${kind}`;
  return { name: `${row.id}:${event}:${moment}`, event, session: row.id, title, words };
}

export function Announcer({ current }: { current: string | undefined }) {
  const inFront = useRef(current);
  inFront.current = current;
  const sessions = useSessions();
  const list = useSessionList();
  const connection = useConnection();
  const told = useRef<Map<string, Told>>(undefined);
  const toldOfConnection = useRef<Connection["kind"]>("connecting");
  const [words, setWords] = useState("");

  useEffect(() => {
    const before = told.current;
    const after = new Map<string, Told>();
    const sentences: string[] = [];
    for (const row of list) {
      const title = sessions.title(row.id) ?? "New session";
      const now = toldOf(row, title, sessions.group(row), sessions.askKind(row));
      after.set(row.id, now);
      // What was so when the page was opened is no news.
      const fresh = before === undefined ? undefined : news(before.get(row.id), now);
      if (fresh === undefined) continue;
      sentences.push(fresh.sentence);
      const notice = noticeOf(row, title, fresh);
      if (notice !== undefined) void tell(notice, () => inFront.current);
    }
    if (before !== undefined || sessions.isKnown()) told.current = after;
    if (sentences.length > 0) setWords(sentences.join(". "));
  }, [list, sessions]);

  useEffect(() => {
    const before = toldOfConnection.current;
    if (connection.kind === "offline") setWords(`Offline since ${clock(connection.since)}`);
    else if (connection.kind === "live" && before === "offline") setWords("Live again");
    else return;
    toldOfConnection.current = connection.kind;
  }, [connection]);

  return (
    <div className="vh" aria-live="polite" role="status">
      {words}
    </div>
  );
}
