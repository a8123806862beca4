// Sessions that were held in a terminal: found, taken in, and gone on with.

import { useEffect, useState } from "react";
import { importTranscript, startSession, type Transcript, transcripts } from "../../api/server";
import { Arc, Icon } from "../Icon";
import { useNow } from "../now";
import { replacePlace } from "../route";
import { useAction } from "../shell/useAction";
import { useAbout } from "../useAbout";
import { bytes, exactly, lastPart, when } from "../words";
import { useRecentFolders } from "./FolderField";
import { Trouble } from "./Trouble";

const SHOWN = 100;

export function ResumeSession() {
  const [all, setAll] = useState<readonly Transcript[]>();
  const [filter, setFilter] = useState("");
  const [chosen, setChosen] = useState<string>();
  const loading = useAction();
  const taking = useAction();
  const load = loading.run;
  useEffect(() => {
    load(async () => setAll(await transcripts()));
  }, [load]);
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const found = (all ?? []).filter((each) => {
    const text = `${each.title ?? ""} ${each.cwd ?? ""}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const take = (id: string) => {
    setChosen(id);
    taking.run(async () => {
      const { session } = await importTranscript(id);
      replacePlace({ page: "session", id: session });
    });
  };
  const [recent] = useRecentFolders();
  const { about } = useAbout();
  const cwd = recent ?? about?.roots[0] ?? "";
  const goOn = () =>
    taking.run(async () => {
      setChosen(undefined);
      const { session } = await startSession({ options: { cwd }, continueRecent: true });
      replacePlace({ page: "session", id: session });
    });
  return (
    <>
      <div className="dialog-body resume">
        <p className="muted">Sessions of the terminal on this computer. They keep their history here.</p>
        <div className="input find-box">
          <Icon name="search" className="faint" />
          <input
            data-autofocus
            type="search"
            value={filter}
            placeholder="Title or folder"
            aria-label="Find by title or folder"
            onChange={(event) => setFilter(event.target.value)}
          />
        </div>
        {[loading.error, taking.error].map((error) =>
          error === undefined ? null : <Trouble key={error} message={error} />,
        )}
        {all === undefined && loading.isBusy ? (
          <p className="empty" role="status">
            <Arc /> Looking for them
          </p>
        ) : null}
        {all !== undefined && found.length === 0 ? (
          <p className="empty">
            {filter === "" ? "There are none on this computer." : `Nothing found for “${filter}”. Try fewer words.`}
          </p>
        ) : null}
        <ul className="transcripts">
          {found.slice(0, SHOWN).map((each) => (
            <li key={each.session}>
              <TranscriptRow
                transcript={each}
                isBusy={taking.isBusy && chosen === each.session}
                onTake={() => take(each.session)}
              />
            </li>
          ))}
        </ul>
        {found.length > SHOWN ? (
          <p className="hint">{found.length - SHOWN} older ones. Type words of the title.</p>
        ) : null}
      </div>
      {cwd === "" ? null : (
        <div className="dialog-foot">
          <span className="hint foot-note">
            The agent’s last conversation in {lastPart(cwd)}, wherever it was held.
          </span>
          <span className="grow" />
          <button type="button" className="btn" disabled={taking.isBusy} onClick={goOn}>
            Continue the last one
          </button>
        </div>
      )}
    </>
  );
}

function TranscriptRow({
  transcript,
  isBusy,
  onTake,
}: {
  transcript: Transcript;
  isBusy: boolean;
  onTake: () => void;
}) {
  const now = useNow(false);
  const { title, cwd, modifiedAt, bytes: size } = transcript;
  return (
    <button type="button" className="srow" onClick={onTake} disabled={isBusy}>
      <span className="glyph">{isBusy ? <Arc /> : <Icon name="terminal" className="faint" />}</span>
      <span className="title cut">{title ?? "Without a title"}</span>
      <time className="when" title={exactly(modifiedAt)}>
        {when(modifiedAt, now)}
      </time>
      <span className="sub cut">
        {cwd ?? "folder unknown"} · {bytes(size)}
      </span>
    </button>
  );
}
