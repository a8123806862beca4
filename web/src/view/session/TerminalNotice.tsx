// Above the composer of a session that is, or was, held in a terminal: since when nothing was written there, and how to take it
// over. While it is written there, what is new is taken in every few seconds.

import { useEffect } from "react";
import { importTranscript } from "../../api/server";
import { askTerminals, useTerminals } from "../../store/terminals";
import { usePart, useSession } from "../../store/use";
import { Icon } from "../Icon";
import { useNow } from "../now";
import { isElsewhere, terminalWords } from "../shell/terminalWords";
import { resume } from "./actions";

/** How often it is looked whether something was written. */
const LOOK_MS = 4000;
/** So long after the last line somebody may still be at it. */
const LIVELY_MS = 10 * 60_000;

export function TerminalNotice() {
  const { id } = useSession();
  const { agent, sessionId, since } = usePart("status");
  const { turns } = usePart("meters");
  const mine = useTerminals().find(({ session, known }) => known === id || session === id || session === sessionId);
  const isOurs = agent === "running" || agent === "starting";
  const isForeign = mine !== undefined && !isOurs && isElsewhere(mine, { turns, since });
  const now = useNow(isForeign, 10_000);
  const isLively = isForeign && (mine.running === true || now - mine.modifiedAt < LIVELY_MS);
  // A conversation that has another name here is brought when it is taken over.
  const conversation = mine?.session === id ? id : undefined;
  useEffect(() => {
    if (!isLively || conversation === undefined) return;
    let written = 0;
    const look = async () => {
      if (document.visibilityState === "hidden") return;
      const found = (await askTerminals()).find(({ session }) => session === conversation);
      if (found === undefined || found.modifiedAt <= written) return;
      // If it cannot be taken in, the next look tries again.
      await importTranscript(conversation).then(
        () => {
          written = found.modifiedAt;
        },
        () => {},
      );
    };
    void look();
    const timer = setInterval(() => void look(), LOOK_MS);
    return () => clearInterval(timer);
  }, [isLively, conversation]);
  if (!isForeign) return null;
  return (
    <p className="limit quiet terminal-notice">
      <Icon name="terminal" />
      <span className="grow">
        {terminalWords(mine, now)}.{" "}
        {isLively && conversation !== undefined
          ? "What is written there appears here."
          : "A message goes on with it here."}
      </span>
      <button type="button" className="btn sm" onClick={() => resume(id)}>
        Take over
      </button>
    </p>
  );
}
