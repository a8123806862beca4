// Sums the context of the session in front up, with a word on what to keep or without one: at once, or when the turn has ended.

import { useState } from "react";
import { sendCommand } from "../../api/inspect";
import { usePart, useSession } from "../../store/use";
import { useAction } from "../shell/useAction";

export function useCompact() {
  const { id } = useSession();
  const { compacting } = usePart("status");
  const { run, isBusy, error } = useAction();
  const [isWaiting, setWaiting] = useState(false);
  const compact = (keeping = "", then?: () => void) =>
    run(async () => {
      const { seq } = await sendCommand(id, `/compact ${keeping.trim().replace(/\s+/g, " ")}`.trim());
      setWaiting(seq === undefined);
      then?.();
    });
  return {
    compact,
    isBusy: isBusy || compacting,
    /** Sent, and not begun: the turn goes on. */
    isWaiting: isWaiting && !compacting,
    words: compacting ? "Compacting" : isBusy ? "Sending" : "Compact",
    error: error === undefined ? undefined : `It was not sent. ${error}`,
  };
}
