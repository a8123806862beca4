// Stops a task that runs beside the conversation.

import { useEffect, useState } from "react";
import { ApiError, inSession, post } from "../../api/http";
import { useSession } from "../../store/use";
import { Arc } from "../Icon";
import { Press } from "./inRow";

/** So long a task is given to stop. */
const PATIENCE_MS = 15_000;

export function StopTask({ task, what = "" }: { task: string; what?: string }) {
  const session = useSession();
  const [state, setState] = useState<"idle" | "stopping" | string>("idle");
  // Who is asked to stop may not do it; then he can be asked again.
  useEffect(() => {
    if (state !== "stopping") return;
    const timer = setTimeout(() => setState("idle"), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const stop = async () => {
    setState("stopping");
    try {
      await post(inSession(session.id, "tasks", task, "stop"));
    } catch (error) {
      setState(error instanceof ApiError ? error.message : "It could not be stopped.");
    }
  };
  const isStopping = state === "stopping";
  return (
    <>
      {state === "idle" || isStopping ? null : (
        <span className="is-danger hint" role="alert">
          {state}
        </span>
      )}
      <Press
        className="btn quiet sm"
        disabled={isStopping}
        onClick={stop}
        aria-label={what ? `Stop ${what}` : undefined}
      >
        {isStopping ? <Arc /> : null}
        {isStopping ? "Stopping" : "Stop"}
      </Press>
    </>
  );
}
