// Messages that went to the agent and that it has not taken yet; of those that nobody knows about, one can send it again or not.

import { useState } from "react";
import { ApiError, inSession, post, remove } from "../../api/http";
import { newId } from "../../api/ids";
import type { Queued } from "../../generated";
import { Icon } from "../Icon";
import type { Desk } from "./desk";
import { Late } from "./Late";

export function QueuedChips(props: {
  desk: Desk;
  queue: readonly Queued[];
  doing: (work: () => Promise<unknown>) => Promise<boolean>;
}) {
  if (props.queue.length === 0) return null;
  return (
    <ul className="queue" aria-label="Messages that the agent has not taken yet">
      {props.queue.map((queued) =>
        queued.state === "unconfirmed" ? (
          <Unconfirmed key={queued.id} queued={queued} desk={props.desk} doing={props.doing} />
        ) : (
          <Late key={queued.id}>
            <li className="chip">
              <Icon name="clock" />
              <span className="cut grow" title={queued.text.text}>
                {queued.text.text}
              </span>
              <span className="faint">Sent, not taken yet</span>
            </li>
          </Late>
        ),
      )}
    </ul>
  );
}

function Unconfirmed(props: { desk: Desk; queued: Queued; doing: (work: () => Promise<unknown>) => Promise<boolean> }) {
  const { desk, queued } = props;
  const [isBusy, setBusy] = useState(false);
  // The same name for every try: pressed twice, it is sent once.
  const [again] = useState(() => newId());
  const run = async (work: () => Promise<unknown>) => {
    setBusy(true);
    await props.doing(work);
    setBusy(false);
  };
  const send = async () => {
    const path = inSession(desk.session, "messages", queued.seq, "again");
    try {
      await post(path, { id: again });
    } catch (cause) {
      if (!(cause instanceof ApiError) || cause.code !== "not_running") throw cause;
      await post(inSession(desk.session, "resume"));
      await post(path, { id: again });
    }
  };
  return (
    <li className="unsent">
      <p className="row">
        <Icon name="warn" className="is-warn" />
        <span className="cut grow" title={queued.text.text}>
          {queued.text.text}
        </span>
      </p>
      <p className="unsent-why">
        <span className="strong">Not confirmed.</span> Nobody knows whether the agent took this before it ended.
      </p>
      <div className="row unsent-do">
        <button type="button" className="btn sm" disabled={isBusy} onClick={() => void run(send)}>
          Send again
        </button>
        <button
          type="button"
          className="btn quiet sm"
          disabled={isBusy}
          onClick={() => void run(() => remove(inSession(desk.session, "queue", queued.id)))}
        >
          Dismiss
        </button>
      </div>
    </li>
  );
}
