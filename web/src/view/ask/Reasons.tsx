// Why the agent asks, which path or rule made it ask, and where the server of its tool is from.

import type { PermissionAsk } from "../../generated";
import { Icon } from "../Icon";
import { reasons } from "./titles";

type Props = Pick<PermissionAsk, "reason" | "blockedPath" | "matchedRule" | "mcpSource">;

export function Reasons(ask: Props) {
  const all = reasons(ask);
  return all.length === 0 ? null : (
    <div className="ask-reasons">
      <Icon name="shield" />
      <div>
        {all.map(({ words, code }) => (
          <p key={words}>
            {words}
            {code === undefined ? null : (
              <>
                {": "}
                <code>{code}</code>
              </>
            )}
          </p>
        ))}
      </div>
    </div>
  );
}
