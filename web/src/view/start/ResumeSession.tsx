// Sessions that were held in a terminal: found, taken in, and gone on with.

import { useEffect, useState } from "react";
import { ApiError } from "../../api/http";
import { importTranscript, startSession, type Transcript, transcripts } from "../../api/server";
import { Arc, Icon } from "../Icon";
import { askAboutWriters } from "../session/asked";
import { enterSession } from "../shell/regions";
import { useAction } from "../shell/useAction";
import { useAbout } from "../useAbout";
import { bytes, lastPart } from "../words";
import { useRecentFolders } from "./FolderField";
import { type Pick, PickList } from "./PickList";
import { Trouble } from "./Trouble";

export function ResumeSession() {
  const [all, setAll] = useState<readonly Transcript[]>();
  const loading = useAction();
  const taking = useAction();
  const goingOn = useAction();
  const load = loading.run;
  useEffect(() => load(transcripts, setAll), [load]);
  const take = (id: string) => {
    const known = all?.find(({ session }) => session === id)?.known;
    if (known) return enterSession(known);
    taking.run(
      () => importTranscript(id),
      ({ session }, isThere) => isThere && enterSession(session),
    );
  };
  const recent = useRecentFolders();
  const { about } = useAbout();
  const known = [...new Set([...recent, ...(about?.roots ?? [])])];
  const [wanted, setWanted] = useState<string>();
  const cwd = wanted ?? known[0] ?? "";
  const goOn = () =>
    goingOn.run(
      async () => {
        try {
          return (await startSession({ options: { cwd }, continueRecent: true })).session;
        } catch (cause) {
          // It is shown, and what is to be done about the other program is asked there.
          const about = cause instanceof ApiError ? cause.session : undefined;
          if (about === undefined || !askAboutWriters(about, cause)) throw cause;
          return about;
        }
      },
      (session, isThere) => isThere && enterSession(session),
    );
  const isBusy = taking.isBusy || goingOn.isBusy;
  return (
    <>
      <div className="dialog-body resume">
        <p className="muted">Sessions of the terminal on this computer. They keep their history here.</p>
        <PickList
          picks={all?.map(pickOf)}
          icon="terminal"
          emptyWords="The terminal has no sessions on this computer."
          isBusy={isBusy}
          onPick={take}
        >
          {[loading.error, taking.error, goingOn.error].map((error) =>
            error === undefined ? null : <Trouble key={error} message={error} />,
          )}
          {all === undefined && loading.isBusy ? (
            <p className="empty" role="status">
              <Arc /> Looking for them
            </p>
          ) : null}
        </PickList>
      </div>
      {cwd === "" ? null : (
        <div className="dialog-foot">
          <label className="continue-in">
            <span className="hint">In</span>
            <span className="select-box">
              <select
                className="input"
                aria-label="Folder"
                value={cwd}
                onChange={(event) => setWanted(event.target.value)}
              >
                {known.map((folder) => (
                  <option key={folder} value={folder} title={folder}>
                    {lastPart(folder)}
                  </option>
                ))}
              </select>
              <Icon name="down" />
            </span>
          </label>
          <span className="grow" />
          <button type="button" className="btn" disabled={isBusy} title={cwd} onClick={goOn}>
            {goingOn.isBusy ? "Starting" : "Continue the last one"}
          </button>
        </div>
      )}
    </>
  );
}

function pickOf({ session, title, cwd, modifiedAt, bytes: size, running, known }: Transcript): Pick {
  const state = running ? "Runs in a terminal" : known ? "Here already" : "";
  return {
    id: session,
    title: title ?? "Without a title",
    folder: cwd,
    at: modifiedAt,
    words: [state, cwd ?? "folder unknown", bytes(size)].filter(Boolean).join(" · "),
  };
}
