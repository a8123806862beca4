// A fork of a session that is here: found, chosen, and begun with all that was said in it.

import { forkSession } from "../../api/server";
import { useSessionList, useSessions } from "../../store/use";
import { enterSession } from "../shell/regions";
import { useAction } from "../shell/useAction";
import { counted, lastPart } from "../words";
import { PickList } from "./PickList";
import { Trouble } from "./Trouble";

export function ForkSession() {
  const sessions = useSessions();
  const list = useSessionList();
  const { run, isBusy, error } = useAction();
  const picks = [...list]
    // Where nothing was said there is nothing to begin with.
    .filter((row) => row.turns > 0)
    .sort((a, b) => b.since - a.since)
    .map(({ id, cwd, since, turns }) => ({
      id,
      title: sessions.title(id) ?? "New session",
      folder: cwd,
      at: since,
      words: [cwd ? lastPart(cwd) : "", counted(turns, "turn")].filter(Boolean).join(" · "),
    }));
  const fork = (id: string) =>
    run(
      () => forkSession(id),
      ({ session }, isThere) => isThere && enterSession(session),
    );
  return (
    <div className="dialog-body resume">
      <p className="muted">
        A new session that begins with all that was said in another one. That one stays as it is. To keep only a part,
        point at one of your messages and fork there.
      </p>
      <PickList picks={picks} icon="branch" emptyWords="No session has a turn yet." isBusy={isBusy} onPick={fork}>
        {error === undefined ? null : <Trouble message={error} />}
      </PickList>
    </div>
  );
}
