// Messages on their way, and those that could not be sent: with what went wrong and what can be done about it.

import { memo, useState } from "react";
import { forkSession, resumeSession } from "../../api/server";
import { Arc, Icon } from "../Icon";
import { go } from "../route";
import { counted } from "../words";
import { type Desk, deskOf } from "./desk";
import { Late } from "./Late";
import { type Outgoing as Message, type Trouble, troubleOf } from "./outbox";
import { useDesk } from "./use";

export const Outgoing = memo(function Outgoing({ desk }: { desk: Desk }) {
  const all = useDesk(desk, (one) => one.outbox.all());
  if (all.length === 0) return null;
  return (
    <ul className="outgoing" aria-label="Messages on their way">
      {all.map((message) =>
        message.trouble ? (
          <Failed key={message.id} desk={desk} message={message} trouble={message.trouble} />
        ) : (
          <Late key={message.id}>
            <li className="chip">
              <Arc />
              <span className="cut grow">{wordsOf(message)}</span>
              <span className="faint">Sending</span>
            </li>
          </Late>
        ),
      )}
    </ul>
  );
});

function wordsOf({ text, pictures }: Pick<Message, "text" | "pictures">): string {
  const images = pictures.length === 0 ? "" : counted(pictures.length, "picture");
  return [text.replace(/\s+/g, " "), images].filter((part) => part !== "").join(" · ");
}

function Failed({ desk, message, trouble }: { desk: Desk; message: Message; trouble: Trouble }) {
  const [isBusy, setBusy] = useState(false);
  const [also, setAlso] = useState<string>();
  /** Another program has the conversation: ends that, or goes on beside it, and sends. */
  const takeOver = async (how: "end" | "beside") => {
    setBusy(true);
    setAlso(undefined);
    try {
      await resumeSession(desk.session, how);
      await desk.outbox.retry(message.id);
    } catch (cause) {
      setAlso(troubleOf(cause).message);
    } finally {
      setBusy(false);
    }
  };
  /** Leaves the conversation to the other program, and takes the message along into a new session. */
  const fork = async () => {
    setBusy(true);
    setAlso(undefined);
    try {
      const { session } = await forkSession(desk.session);
      desk.takeBack(message.id, deskOf(session));
      go({ page: "session", id: session });
    } catch (cause) {
      setAlso(troubleOf(cause).message);
    } finally {
      setBusy(false);
    }
  };
  return (
    <li className="unsent">
      {/* What is told aloud stands inside: an item of a list is nothing else. */}
      <div role="alert">
        <p className="row">
          <Icon name="warn" className="is-danger" />
          <span className="cut grow">{wordsOf(message)}</span>
        </p>
        <p className="unsent-why">
          <span className="strong">Not sent.</span> {also ?? trouble.message}
        </p>
      </div>
      <div className="row unsent-do">
        {trouble.code === "two_writers" ? (
          <>
            <button type="button" className="btn sm" disabled={isBusy} onClick={() => void takeOver("end")}>
              End the other one and send
            </button>
            <button type="button" className="btn sm" disabled={isBusy} onClick={() => void fork()}>
              Say it in a fork
            </button>
            <button type="button" className="btn quiet sm" disabled={isBusy} onClick={() => void takeOver("beside")}>
              Go on beside it
            </button>
          </>
        ) : (
          <button type="button" className="btn sm" disabled={isBusy} onClick={() => void desk.outbox.retry(message.id)}>
            Try again
          </button>
        )}
        <button type="button" className="btn quiet sm" disabled={isBusy} onClick={() => desk.takeBack(message.id)}>
          Edit
        </button>
        <button type="button" className="btn quiet sm" disabled={isBusy} onClick={() => desk.drop(message.id)}>
          Drop
        </button>
      </div>
    </li>
  );
}
