// Why the agent asks, which path made it ask, what it says of the call, and the way to edit the input.

import type { PermissionAsk } from "../../generated";
import { Icon } from "../Icon";
import type { Input } from "./InputEditor";

export function Reasons({ body, input }: { body: PermissionAsk; input: Input }) {
  const shown = shownAlready(body);
  const description =
    body.description !== undefined && !shown.includes(body.description) ? body.description : undefined;
  return (
    <div className="ask-reasons">
      <div className="grow">
        {description === undefined ? null : <p>{description}</p>}
        {body.reason === undefined ? null : (
          <p>
            <Icon name="shield" /> Asks because: {body.reason}
          </p>
        )}
        {body.blockedPath === undefined ? null : (
          <p>
            <Icon name="blocked" /> Outside of where it may work: <code>{body.blockedPath}</code>
          </p>
        )}
      </div>
      <button
        type="button"
        className="btn quiet sm"
        disabled={input.isComing}
        aria-expanded={input.isOpen}
        onClick={input.isOpen ? input.close : input.open}
      >
        {input.isOpen ? "Undo the edit" : input.isCommand ? "Edit command" : "Edit input"}
      </button>
    </div>
  );
}

/** What stands elsewhere in the prompt. */
function shownAlready({ view }: PermissionAsk): (string | undefined)[] {
  switch (view.view) {
    case "command":
      return [view.description];
    case "edit":
      return [view.diff.path];
    case "read":
    case "notebook":
      return [view.path];
    default:
      return [];
  }
}
