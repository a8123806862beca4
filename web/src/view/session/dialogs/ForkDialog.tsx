// A fork from before a message: what is kept, what is left out, and where the message goes; then the new session.

import { useEffect, useState } from "react";
import { forkSession } from "../../../api/server";
import type { Item } from "../../../generated";
import { useSessions } from "../../../store/use";
import { deskOf } from "../../composer/desk";
import { Arc, Icon } from "../../Icon";
import { go, placeHref } from "../../route";
import { Dialog } from "../../shell/Dialog";
import { Failure } from "../../shell/Failure";
import { enterComposer } from "../../shell/regions";
import { useAction } from "../../shell/useAction";
import { fetchWhole } from "../../whole";
import { counted } from "../../words";
import { type ForkPoint, forkPoint } from "../forkPoint";

/** So many of the last things that are kept are shown. */
const SHOWN = 4;

export function ForkDialog({ id, item, onClose }: { id: string; item: string; onClose: () => void }) {
  const sessions = useSessions();
  const store = sessions.store(id);
  const [point, setPoint] = useState<ForkPoint>();
  const looking = useAction();
  const forking = useAction();
  const look = looking.run;
  useEffect(() => {
    let isOver = false;
    look(async () => {
      let found = forkPoint(store.items(), item);
      // The line before it may be one that was not brought yet.
      while (!isOver && found.at === undefined && store.hasOlder()) {
        if (!(await store.bringOlder())) await new Promise((resolve) => setTimeout(resolve, 50));
        found = forkPoint(store.items(), item);
      }
      setPoint(found);
    });
    return () => {
      isOver = true;
    };
  }, [look, store, item]);
  const message = store.item(item);
  const fork = (at: string) =>
    forking.run(
      async () => {
        const body = message?.body;
        const words = body?.kind === "user" ? body.text : undefined;
        const text = words?.more ? await fetchWhole(id, words.more) : (words?.text ?? "");
        const { session } = await forkSession(id, at);
        deskOf(session).write(text);
        return session;
      },
      (session, isThere) => {
        if (!isThere) return;
        onClose();
        enterComposer();
        go({ page: "session", id: session });
      },
    );
  const error = forking.error ?? looking.error;
  const at = point?.at;
  return (
    <Dialog title="Fork from here" className="fork" onClose={onClose}>
      <div className="dialog-body">
        <p>
          A new session begins with what was said before this message. The message goes into its composer, so that you
          can say it otherwise. This session stays as it is, and so do the files.
        </p>
        {point === undefined && looking.isBusy ? (
          <p className="row muted">
            <Arc /> Looking at what is kept
          </p>
        ) : null}
        {point !== undefined && at === undefined ? (
          <p>
            The agent has said nothing before this message, so there is nothing to keep.{" "}
            <a className="link" href={placeHref({ page: "new" })} onClick={onClose}>
              Start a fresh session
            </a>{" "}
            instead.
          </p>
        ) : null}
        {point !== undefined && at !== undefined ? <Preview point={point} hasOlder={store.hasOlder()} /> : null}
        <Failure words={error} />
      </div>
      <div className="dialog-foot">
        <span className="grow" />
        <button type="button" className="btn quiet" onClick={onClose}>
          Cancel
        </button>
        <button
          type="button"
          data-autofocus
          className="btn primary"
          disabled={at === undefined || forking.isBusy}
          onClick={() => at !== undefined && fork(at)}
        >
          {forking.isBusy ? (
            <>
              <Arc className="" /> Forking
            </>
          ) : (
            "Fork from here"
          )}
        </button>
      </div>
    </Dialog>
  );
}

function Preview({ point, hasOlder }: { point: ForkPoint; hasOlder: boolean }) {
  const { kept, leftOut } = point;
  const hidden = kept.length - SHOWN;
  return (
    <div className="kept">
      <h3 className="label">Kept</h3>
      <ul>
        {hidden > 0 || hasOlder ? (
          <li className="muted">
            <Icon name="more" />
            {hasOlder ? "All that was said earlier" : `${counted(hidden, "earlier message")}`}
          </li>
        ) : null}
        {kept.slice(-SHOWN).map((item) => (
          <Said key={item.id} item={item} />
        ))}
      </ul>
      <p className="hint">Left out: {counted(leftOut, "message")} of yours and what the agent did about it.</p>
    </div>
  );
}

function Said({ item }: { item: Item }) {
  const { body } = item;
  const words = body.kind === "user" || body.kind === "text" ? body.text.text : "";
  return (
    <li>
      <Icon name={body.kind === "user" ? "message" : "think"} label={body.kind === "user" ? "You" : "Agent"} />
      <span className={body.kind === "user" ? "cut strong" : "cut"}>{words.replace(/\s+/g, " ").trim()}</span>
    </li>
  );
}
