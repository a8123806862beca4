// Another program works on the same conversation: look on, go another way, or take it over. Each does what it says, or says why
// not.

import { useState } from "react";
import { forkSession, resumeSession } from "../../../api/server";
import { useSessions } from "../../../store/use";
import { Arc, Icon, type IconName } from "../../Icon";
import { go } from "../../route";
import { Dialog } from "../../shell/Dialog";
import { Failure } from "../../shell/Failure";
import { useAction } from "../../shell/useAction";
import { Words } from "../../Words";

type Way = "watch" | "fork" | "end" | "beside";

const WAYS: Record<Way, { icon: IconName; label: string; means: string; danger?: boolean }> = {
  watch: {
    icon: "eye",
    label: "Watch it here",
    means: "Nothing is started. What the other program does appears here as it is written.",
  },
  fork: {
    icon: "branch",
    label: "Fork",
    means: "A new session begins with all that was said so far. The other program goes on undisturbed.",
  },
  end: {
    icon: "play",
    label: "Take it over",
    means: "The other program is asked to end, then the agent starts here. What it is doing now is cut off.",
    danger: true,
  },
  beside: {
    icon: "warn",
    label: "Start beside it",
    means: "Both go on in one conversation, and neither knows of the other’s turns. Seldom what one wants.",
    danger: true,
  },
};

export function TwoWritersDialog({ id, why, onClose }: { id: string; why: string; onClose: () => void }) {
  const sessions = useSessions();
  const [chosen, setChosen] = useState<Way>();
  const { run, isBusy, error } = useAction();
  const take = (way: Way) => {
    setChosen(way);
    run(
      async () => {
        if (way === "fork") return (await forkSession(id)).session;
        if (way !== "watch") await resumeSession(id, way);
        return id;
      },
      (session, isThere) => {
        if (!isThere) return;
        onClose();
        go({ page: "session", id: session });
      },
    );
  };
  return (
    <Dialog title="Somebody else is at it" className="fork" onClose={onClose}>
      <div className="dialog-body">
        <p>
          “{sessions.title(id) ?? "This session"}” is being worked on by another program, most likely in a terminal. Two
          writers in one conversation lose each other’s turns, so nothing was started.
        </p>
        <details className="hint">
          <summary>Which program</summary>
          <p>
            <Words text={why} />
          </p>
        </details>
        <ul className="ways">
          {(Object.keys(WAYS) as Way[]).map((way) => {
            const { icon, label, means, danger } = WAYS[way];
            return (
              <li key={way}>
                <button
                  type="button"
                  className="way-button"
                  data-autofocus={way === "watch" ? "" : undefined}
                  disabled={isBusy}
                  onClick={() => take(way)}
                >
                  {isBusy && chosen === way ? <Arc /> : <Icon name={icon} className={danger ? "is-danger" : "faint"} />}
                  <span>
                    <strong>{label}</strong>
                    <span className="hint">{means}</span>
                  </span>
                </button>
              </li>
            );
          })}
        </ul>
        <Failure words={error} />
      </div>
    </Dialog>
  );
}
