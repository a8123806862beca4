// Files back to before a message: first what would happen, as the agent says; then, on a press, it happens.

import { useCallback, useEffect, useState } from "react";
import { ApiError } from "../../../api/http";
import { type RewindAnswer, resumeSession, rewindFiles } from "../../../api/server";
import { useSessions } from "../../../store/use";
import { Arc, Icon } from "../../Icon";
import { Dialog } from "../../shell/Dialog";
import { Failure } from "../../shell/Failure";
import { useAction } from "../../shell/useAction";
import { counted, inside } from "../../words";
import { askAboutWriters } from "../asked";
import { NO_COPY, whyNot } from "./rewindWords";

type Stage =
  | { at: "looking" }
  /** Only a running agent knows its checkpoints. */
  | { at: "asleep" }
  | { at: "ready"; answer: RewindAnswer }
  /** What was done names no files: they are those that were named before. */
  | { at: "done"; files: readonly string[]; skippedLinks: number };

export function RewindDialog({ id, item, onClose }: { id: string; item: string; onClose: () => void }) {
  const sessions = useSessions();
  const store = sessions.store(id);
  const message = store.item(item)?.uuid;
  const [stage, setStage] = useState<Stage>({ at: "looking" });
  const { run, isBusy, error } = useAction();
  const look = useCallback(
    () =>
      run(async () => {
        setStage({ at: "looking" });
        try {
          setStage({ at: "ready", answer: await rewindFiles(id, message ?? "", true) });
        } catch (cause) {
          if (!(cause instanceof ApiError) || cause.code !== "not_running") throw cause;
          setStage({ at: "asleep" });
        }
      }),
    [run, id, message],
  );
  useEffect(look, [look]);
  const wakeAndLook = () =>
    run(async () => {
      try {
        await resumeSession(id);
      } catch (cause) {
        // Then that is the question, and it takes the place of this one.
        if (askAboutWriters(id, cause)) return;
        throw cause;
      }
      setStage({ at: "ready", answer: await rewindFiles(id, message ?? "", true) });
    });
  const files = stage.at === "ready" ? (stage.answer.filesChanged ?? []) : [];
  const rewind = () =>
    run(async () => {
      const answer = await rewindFiles(id, message ?? "", false);
      if (answer.canRewind === false) setStage({ at: "ready", answer });
      else setStage({ at: "done", files: answer.filesChanged ?? files, skippedLinks: answer.skippedLinks ?? 0 });
    });
  const canRewind = stage.at === "ready" && stage.answer.canRewind !== false && files.length > 0;
  /** It happened, or it cannot: what would happen is no news any more. */
  const isOver = stage.at === "done" || (stage.at === "ready" && stage.answer.canRewind === false);
  const row = sessions.row(id);
  const isAtWork = row !== undefined && ["running", "needsYou"].includes(sessions.group(row));
  return (
    <Dialog title="Put files back" className="fork" onClose={onClose}>
      <div className="dialog-body">
        {isOver ? null : (
          <p>
            Files that the agent has changed with its own tools go back to what they were before this message: whole,
            with what you changed in them yourself since. What commands did stays, and so does all that was said.
          </p>
        )}
        <Outcome stage={stage} isBusy={isBusy} folder={row?.cwd} />
        {canRewind && isAtWork ? <p className="hint">The agent is at work: it may change these files again.</p> : null}
        <Failure words={error === undefined ? undefined : whyNot(error)} />
      </div>
      <div className="dialog-foot">
        <span className="grow" />
        <button type="button" data-autofocus className="btn quiet" onClick={onClose}>
          {stage.at === "done" ? "Close" : "Cancel"}
        </button>
        {stage.at === "asleep" ? (
          <button type="button" className="btn primary" disabled={isBusy} onClick={wakeAndLook}>
            {isBusy ? "Starting" : "Start its agent and look"}
          </button>
        ) : null}
        {stage.at === "ready" || stage.at === "looking" ? (
          <button type="button" className="btn danger" disabled={!canRewind || isBusy} onClick={rewind}>
            {isBusy && stage.at === "ready"
              ? "Putting back"
              : `Put ${files.length === 0 ? "files" : counted(files.length, "file")} back`}
          </button>
        ) : null}
      </div>
    </Dialog>
  );
}

function Outcome({ stage, isBusy, folder }: { stage: Stage; isBusy: boolean; folder: string | null | undefined }) {
  switch (stage.at) {
    case "looking":
      return isBusy ? (
        <p className="row muted">
          <Arc /> Asking the agent which files those are
        </p>
      ) : null;
    case "asleep":
      return <p>Its agent is not running, and only it knows what the files were. Starting it changes nothing yet.</p>;
    case "ready":
      return <Files answer={stage.answer} folder={folder} />;
    case "done":
      return (
        <>
          <p className="row" role="status">
            <Icon name="check" className="is-done" />
            {counted(stage.files.length, "file")} put back.
          </p>
          {stage.skippedLinks === 0 ? null : (
            <p className="hint">
              {counted(stage.skippedLinks, "file")} left alone: a link stands now where{" "}
              {stage.skippedLinks === 1 ? "it was" : "they were"}.
            </p>
          )}
          <div className="kept">
            <FileList files={stage.files} folder={folder} />
          </div>
          <p className="hint">The agent is told of it with your next message.</p>
        </>
      );
    default:
      return stage satisfies never;
  }
}

function Files({ answer, folder }: { answer: RewindAnswer; folder: string | null | undefined }) {
  const files = answer.filesChanged ?? [];
  if (answer.canRewind === false) {
    return <p>{whyNot(answer.error ?? NO_COPY)}</p>;
  }
  if (files.length === 0) return <p>These files are all as they were then: there is nothing to put back.</p>;
  return (
    <div className="kept">
      <h3 className="label">
        {counted(files.length, "file")}{" "}
        {answer.insertions === undefined ? null : <span className="added num">+{answer.insertions}</span>}{" "}
        {answer.deletions === undefined ? null : <span className="removed num">−{answer.deletions}</span>}
      </h3>
      <FileList files={files} folder={folder} />
    </div>
  );
}

function FileList({ files, folder }: { files: readonly string[]; folder: string | null | undefined }) {
  return (
    <ul>
      {files.map((file) => (
        <li key={file}>
          <Icon name="file" />
          <code className="cut-start" title={file}>
            <bdi>{inside(file, folder)}</bdi>
          </code>
        </li>
      ))}
    </ul>
  );
}
