// Why the agent asks, and which path made it ask.

import type { PermissionAsk } from "../../generated";
import { Icon } from "../Icon";

export function Reasons({ reason, blockedPath }: Pick<PermissionAsk, "reason" | "blockedPath">) {
  if (reason === undefined && blockedPath === undefined) return null;
  return (
    <div className="ask-reasons">
      <Icon name="shield" />
      <p>
        {reason === undefined ? "Outside of where it may work" : `Asks because: ${reason}`}
        {blockedPath === undefined ? null : (
          <>
            {": "}
            <code>{blockedPath}</code>
          </>
        )}
      </p>
    </div>
  );
}
