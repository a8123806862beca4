// The one polite live region: it says what happened to sessions and to the connection, once each, and never the stream.

import { useEffect, useRef, useState } from "react";
import type { Connection } from "../../api/socket";
import { useConnection, useSessionList, useSessions } from "../../store/use";
import { clock } from "../words";
import { news, type Told, toldOf } from "./news";

export function Announcer() {
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
      const sentence = before === undefined ? undefined : news(before.get(row.id), now);
      if (sentence !== undefined) sentences.push(sentence);
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
