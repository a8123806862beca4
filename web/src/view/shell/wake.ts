// Starts a session's agent again. When a terminal works on the same conversation, nothing is taken over unasked.

import { ApiError } from "../../api/http";
import { resumeSession } from "../../api/server";
import { setTrouble, troubled } from "./troubles";

export function wake(id: string, takeOver?: "end"): void {
  setTrouble(undefined);
  resumeSession(id, takeOver).catch((cause: unknown) => {
    if (!(cause instanceof ApiError) || cause.code !== "two_writers") {
      troubled("The agent was not started")(cause);
      return;
    }
    const wayOut = { label: "End the other and go on here", take: () => wake(id, "end") };
    setTrouble({ text: `The agent was not started. ${cause.message}`, wayOut });
  });
}
