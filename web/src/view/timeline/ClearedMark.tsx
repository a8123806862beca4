// "Cleared here": what was said before is folded away. It offers to show it again, and to let the agent forget it too.

import { inSession, post } from "../../api/http";
import { newId } from "../../api/ids";
import { usePart, useSession } from "../../store/use";
import { Icon } from "../Icon";
import { placeHref } from "../route";
import { Failure } from "../shell/Failure";
import { useAction } from "../shell/useAction";
import { clock } from "../words";
import { type Cleared, showAgain } from "./cleared";

export function ClearedMark({ cleared }: { cleared: Cleared }) {
  const { id } = useSession();
  const { commands } = usePart("catalog");
  const isRunning = usePart("status").turn !== undefined;
  const { run, isBusy, error } = useAction();
  const canForget = commands.some(({ name }) => name === "clear");
  const forget = () => run(() => post(inSession(id, "messages"), { id: newId(), text: "/clear", delivery: "steer" }));
  return (
    <div className="cleared" role="status">
      <p>
        <span className="strong">Cleared here, {clock(cleared.at)}.</span>{" "}
        <span className="muted">The agent still knows what was said before.</span>
      </p>
      <div className="row">
        <button type="button" className="btn sm" onClick={() => showAgain(id)}>
          <Icon name="up" />
          Show it again
        </button>
        {canForget ? (
          <button
            type="button"
            className="btn sm"
            disabled={isBusy || isRunning}
            title={isRunning ? "When the turn has ended" : "Sends /clear: the agent begins anew"}
            onClick={forget}
          >
            {isBusy ? "Sending" : "Let the agent forget it too"}
            <code>/clear</code>
          </button>
        ) : (
          <a className="btn sm" href={placeHref({ page: "new" })} title="This agent has no /clear">
            <Icon name="plus" />
            New session
          </a>
        )}
      </div>
      <Failure words={error} />
    </div>
  );
}
