// Messages that went to the agent and that it has not taken yet: they can be taken back. Of those that nobody knows about, one can
// send it again or not.

import { useState } from "react";
import { ApiError, inSession, post, remove } from "../../api/http";
import { newId } from "../../api/ids";
import type { Queued } from "../../generated";
import { Icon } from "../Icon";
import { fetchWhole } from "../whole";
import type { Desk } from "./desk";
import { Late } from "./Late";
import { numbersOf } from "./marks";
import { type Picture, sentPicture } from "./pictures";

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
            <NotTaken queued={queued} desk={props.desk} doing={props.doing} />
          </Late>
        ),
      )}
    </ul>
  );
}

type Props = { desk: Desk; queued: Queued; doing: (work: () => Promise<unknown>) => Promise<boolean> };

/** It is in the agent's own queue. An agent that says so gives it back; older ones say nothing, and do not. */
function NotTaken({ desk, queued, doing }: Props) {
  const [isBusy, setBusy] = useState(false);
  const takeBack = async (put: (text: string, pictures: Picture[]) => void) => {
    setBusy(true);
    await doing(async () => {
      const { more } = queued.text;
      const text = more ? await fetchWhole(desk.session, more) : queued.text.text;
      const numbers = numbersOf(
        text,
        queued.images.map(({ after }) => after),
      );
      const pictures = await Promise.all(
        queued.images.map(async ({ mediaType, ...place }, at) =>
          sentPicture(mediaType, await fetchWhole(desk.session, place), numbers[at] ?? at + 1),
        ),
      );
      await remove(inSession(desk.session, "queue", queued.id));
      put(text, pictures);
    });
    setBusy(false);
  };
  return (
    <li className="chip">
      <Icon name="clock" />
      <span className="cut grow" title={queued.text.text}>
        {queued.text.text}
      </span>
      <span className="faint">Sent, not taken yet</span>
      {queued.state === "queued" ? (
        <>
          <button
            type="button"
            className="ibtn xs"
            aria-label="Take the message back and edit it"
            title="Take back and edit"
            disabled={isBusy}
            onClick={() => void takeBack((text, pictures) => desk.putBack(text, pictures))}
          >
            <Icon name="edit" />
          </button>
          <button
            type="button"
            className="ibtn xs"
            aria-label="Take the message back"
            title="Take back"
            disabled={isBusy}
            onClick={() => void takeBack((text) => desk.keepForUp(text))}
          >
            <Icon name="x" />
          </button>
        </>
      ) : null}
    </li>
  );
}

function Unconfirmed(props: Props) {
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
