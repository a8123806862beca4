// Deleting a session for good: what is lost and what stays, in words, before anything happens.

import { ApiError } from "../../../api/http";
import { closeAgent, removeSession } from "../../../api/server";
import { useSessions } from "../../../store/use";
import { go, readPlace } from "../../route";
import { Confirm } from "../../shell/Dialog";
import { useAction } from "../../shell/useAction";

export function RemoveDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const sessions = useSessions();
  const { run, isBusy, error } = useAction();
  const title = sessions.title(id) ?? "New session";
  const phase = sessions.row(id)?.phase;
  const isAsleep = phase === undefined || phase === "asleep" || phase === "failed";
  const remove = () =>
    run(
      () => removeForGood(id),
      (_, isThere) => {
        if (isThere) onClose();
        const here = readPlace(location.hash);
        if (here.page === "session" && here.id === id) go({ page: "sessions" });
        sessions.forget(id);
      },
    );
  return (
    <Confirm
      title="Delete this session?"
      text={`${isAsleep ? "" : "Its agent is ended. "}“${title}” and its log are removed for good. Files that the agent changed stay as they are, and so does the CLI’s own transcript.`}
      verb="Delete session"
      doing="Deleting"
      isBusy={isBusy}
      error={error}
      onConfirm={remove}
      onClose={onClose}
    />
  );
}

/** One whose agent runs cannot be removed: that is ended first, which takes a moment. */
async function removeForGood(id: string): Promise<void> {
  const is = (code: string, cause: unknown) => cause instanceof ApiError && cause.code === code;
  for (let tries = 0; tries < 12; tries += 1) {
    try {
      return await removeSession(id);
    } catch (cause) {
      if (!is("running", cause)) throw cause;
    }
    // It may have ended by itself just now.
    if (tries === 0) await closeAgent(id).catch((cause: unknown) => is("not_running", cause) || Promise.reject(cause));
    await new Promise((resolve) => setTimeout(resolve, 400));
  }
  return removeSession(id);
}
