// Conversations that are held in a terminal and are not here yet: a press takes one in and shows it.

import { useState } from "react";
import { importTranscript, type Transcript } from "../../api/server";
import { useTerminals } from "../../store/terminals";
import { useSessionList, useSessions } from "../../store/use";
import { Arc, Icon } from "../Icon";
import { useNow } from "../now";
import { go, placeHref } from "../route";
import { exactly, lastPart, when } from "../words";
import { foreign, terminalWords } from "./terminalWords";
import { troubled } from "./troubles";

export function TerminalRows({ filter }: { filter: string }) {
  const all = useTerminals();
  const sessions = useSessions();
  useSessionList();
  const now = useNow(true, 10_000);
  const [isOpen, setOpen] = useState(true);
  const rows = foreign(all, (id) => sessions.row(id) !== undefined, now, filter);
  if (rows.length === 0) return null;
  return (
    <section aria-label="In a terminal">
      <h3>
        <button type="button" className="group folds" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <Icon name={isOpen ? "down" : "right"} />
          In a terminal <span className="num">{rows.length}</span>
        </button>
      </h3>
      {isOpen ? (
        <>
          <ul>
            {rows.map((row) => (
              <li key={row.session}>
                <TerminalRow transcript={row} now={now} />
              </li>
            ))}
          </ul>
          <a className="btn quiet sm more-rows" href={placeHref({ page: "new", tab: "resume" })}>
            All of them
          </a>
        </>
      ) : null}
    </section>
  );
}

function TerminalRow({ transcript, now }: { transcript: Transcript; now: number }) {
  const [isBusy, setBusy] = useState(false);
  const { session, title, cwd, modifiedAt } = transcript;
  const take = () => {
    setBusy(true);
    importTranscript(session)
      .then(({ session: id }) => go({ page: "session", id }), troubled("It was not taken in"))
      .finally(() => setBusy(false));
  };
  return (
    <button
      type="button"
      className="srow read"
      disabled={isBusy}
      title={`${terminalWords(transcript, now)}. Shows it here; the terminal is not disturbed.`}
      onClick={take}
    >
      <span className="glyph">
        {isBusy ? <Arc /> : <Icon name="terminal" className={transcript.running ? "is-running" : "faint"} />}
      </span>
      <span className="title cut">{title ?? "Without a title"}</span>
      <time className="when" title={exactly(modifiedAt)}>
        {when(modifiedAt, now)}
      </time>
      <span className="sub cut">
        {transcript.running ? "Runs in a terminal" : "In a terminal"}
        {cwd ? ` · ${lastPart(cwd)}` : ""}
      </span>
    </button>
  );
}
