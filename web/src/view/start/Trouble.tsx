// Why a session could not be started, in the server's words; a missing CLI with the way to get one.

import { CopyLine } from "../shell/CopyLine";
import { Words } from "../Words";

/** How the driver begins to say that there is no CLI where one could be. */
const MISSING = "Claude Code was not found";

export function Trouble({ message }: { message: string }) {
  if (!message.startsWith(MISSING)) {
    return (
      <p role="alert" className="start-error is-danger">
        <Words text={message} />
      </p>
    );
  }
  return (
    <div role="alert" className="start-error">
      <p className="is-danger">Claude Code is not installed on this computer. Install it, then start again.</p>
      <CopyLine text="npm i -g @anthropic-ai/claude-code" />
      <details>
        <summary>Where it was looked for</summary>
        <p className="hint">
          <Words text={message} />
        </p>
      </details>
    </div>
  );
}
