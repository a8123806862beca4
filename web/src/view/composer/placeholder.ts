// What Enter does now, in the words that stand where nothing is typed yet. Pure.

import type { Status } from "../../generated";

export function placeholder(
  status: Pick<Status, "agent" | "phase" | "turn">,
  isNarrow: boolean,
  isKnown = true,
): string {
  if (!isKnown) return "Message the agent";
  if (status.turn !== undefined) return isNarrow ? "Queue a message" : "Queue a message for after this turn";
  switch (status.agent) {
    case "running":
    case "starting":
      return "Message the agent";
    case "none":
    case "ended":
    case "died":
      return isNarrow ? "Message; starts the agent" : "Message the agent; sending starts it again";
    default:
      return status.agent satisfies never;
  }
}
