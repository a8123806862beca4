// One setting of a running agent: the value that is asked for is shown at once as on its way, then as accepted, and as so when the
// state says it. What was refused is said, and the state's value stands again.

import { useEffect, useState } from "react";
import { ApiError, messageOf } from "../../api/http";
import { changeSettings, type SessionSettings } from "../../api/server";
import { useSession } from "../../store/use";

export type Setting<T> = {
  /** What was asked for and is not so yet. */
  wanted: T | undefined;
  /** Is the agent still thinking about it? */
  isSending: boolean;
  error: string | undefined;
  change: (value: T) => void;
};

export function useSetting<T>(toSettings: (value: T) => SessionSettings, isSo: (value: T) => boolean): Setting<T> {
  const { id } = useSession();
  const [wanted, setWanted] = useState<{ value: T; isTaken: boolean }>();
  const [error, setError] = useState<string>();
  const isDone = wanted?.isTaken === true && isSo(wanted.value);
  useEffect(() => {
    if (isDone) setWanted(undefined);
  }, [isDone]);
  const change = (value: T) => {
    if (wanted !== undefined && !wanted.isTaken) return;
    setError(undefined);
    setWanted({ value, isTaken: false });
    changeSettings(id, toSettings(value)).then(
      () => setWanted({ value, isTaken: true }),
      (cause: unknown) => {
        setWanted(undefined);
        setError(`It was not changed. ${failureWords(cause)}`);
      },
    );
  };
  return { wanted: wanted?.value, isSending: wanted?.isTaken === false, error, change };
}

/** Older versions of the CLI say nothing at all to what they do not know. */
function failureWords(cause: unknown): string {
  if (cause instanceof ApiError && cause.code === "no_answer") {
    return "The agent gave no answer. Older versions of the CLI cannot change this while they run; choose it when you start a session.";
  }
  return messageOf(cause);
}

/** What to say of a setting that the agent has taken and does not report yet. */
export function waitingWords({ wanted, isSending }: { wanted: unknown; isSending: boolean }): string | undefined {
  return wanted === undefined || isSending ? undefined : "Accepted. The agent reports it with the next turn.";
}
